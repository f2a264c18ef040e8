/** Runs shell commands that can do no harm outside one folder. */
export interface Sandbox {
  readonly kind: SandboxKind
  /** who limits the memory of a command: the kernel, or Segno ten times a second */
  readonly memory: 'kernel' | 'watched'
  /**
   * Runs a command with bash in /workspace, which is `folder`. Yields what it prints, stdout and stderr together, and
   * returns how it ended; then, or after `return()`, none of its processes is left. Throws if the command never started.
   */
  run(command: string, options: SandboxRun): AsyncGenerator<Uint8Array, SandboxEnd>
}

export type SandboxKind = 'bubblewrap' | 'namespaces'

export interface SandboxRun {
  /** a real path; it becomes /workspace, the only place where written files stay */
  readonly folder: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** `code` as in a shell: 128 plus the number of a signal. */
export type SandboxEnd = { readonly code: number } | { readonly stopped: StopReason }

/** Why a command was killed. */
export type StopReason = 'time' | 'cancelled' | 'output' | 'memory' | 'disk'

/** Why there is no sandbox, and what to do about it, in sentences. */
export interface NoSandbox {
  readonly missing: string
  readonly install: string
}

/** What a command may use; the limits BASH_… of the config say what each of them means. */
export interface SandboxLimits {
  readonly processBytes: number
  readonly memoryBytes: number
  readonly processes: number
  readonly fileBytes: number
  readonly openFiles: number
  readonly cpuSeconds: number
  readonly tmpBytes: number
  readonly diskBytes: number
  readonly diskFiles: number
  readonly outputBytes: number
}

/** The user of a command if Segno and the folder's owner are root; no common system uses this number. */
export const SANDBOX_UID = 61_000
