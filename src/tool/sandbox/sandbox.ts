/** A place where a shell command can do no harm beyond one folder. */
export interface Sandbox {
  readonly kind: SandboxKind
  /** who counts the memory of a command: the kernel, or Segno ten times a second */
  readonly memory: 'kernel' | 'watched'
  /**
   * Runs a command with bash in /workspace, which is `folder`. Yields what it prints, stderr among stdout, byte by byte
   * as it was; returns how it ended. When it has returned, or was told to by `return()`, no process of it is left.
   * Throws when the command never started.
   */
  run(command: string, options: SandboxRun): AsyncGenerator<Uint8Array, SandboxEnd>
}

export type SandboxKind = 'bubblewrap' | 'namespaces'

export interface SandboxRun {
  /** its real path; becomes /workspace, the only place that can be written to and stays */
  readonly folder: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** `code` as a shell tells it: 128 and more for a signal. */
export type SandboxEnd = { readonly code: number } | { readonly stopped: StopReason }

/** Why a command was killed before its end. */
export type StopReason = 'time' | 'cancelled' | 'output' | 'memory' | 'disk'

/** Why there is no sandbox, and what to do about it; both are sentences. */
export interface NoSandbox {
  readonly missing: string
  readonly install: string
}

/** What a command may use. What each of them means is said where they are set, in the limits BASH_… of the config. */
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

/**
 * Who a command is where Segno is root and so is the owner of the folder. Free on every common system: above the users,
 * below those that systemd makes up.
 */
export const SANDBOX_UID = 61_000
