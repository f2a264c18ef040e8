import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { bubblewrap } from './bubblewrap.ts'
import { checkFolder, type FolderBounds } from './check-folder.ts'
import { findGroupPlace, type GroupPlace, makeGroup } from './control-group.ts'
import { readLayout, type Inside } from './layout.ts'
import { namespaces } from './namespaces.ts'
import { probe } from './probe.ts'
import { runCommand, SET_UP_PATH } from './run-command.ts'
import { seccompFilter } from './seccomp.ts'
import { SANDBOX_UID, type NoSandbox, type Sandbox, type SandboxKind, type SandboxLimits } from './sandbox.ts'
import { startScript } from './start-script.ts'

/** As root: where any user can reach the workspace, in a separate mount namespace. */
const REACHABLE = '/sys'

const NOT_THEIRS =
  `Commands run as user ${SANDBOX_UID} here, who may not look into the folder of this workspace, and Segno changes no owners ` +
  'there. Give the folder to a user of its own, or put it under a root of SEGNO_FOLDER_ROOTS.'

export interface SandboxOptions {
  readonly limits: SandboxLimits
  /** what no command may see, such as SEGNO_HOME; a workspace that contains it is refused */
  readonly hidden: readonly string[]
  /** a cgroup folder, or `off`; by default beside Segno's own group, if allowed */
  readonly cgroup?: string | undefined
  /** as root, files are given to the user of a command only below these folders */
  readonly roots?: readonly string[]
  /** in this order; by default bubblewrap, then namespaces */
  readonly kinds?: readonly SandboxKind[]
}

/** The first sandbox in which a test command works, or what to do to get one. */
export async function detectSandbox(options: SandboxOptions): Promise<Sandbox | NoSandbox> {
  if (process.platform !== 'linux') {
    return { missing: 'A sandbox for bash needs Linux.', install: 'Run Segno on Linux to have the bash tool.' }
  }
  if (seccompFilter(false) === undefined) {
    const missing = `A sandbox for bash needs an x64 or arm64 processor, not ${process.arch}.`
    return { missing, install: 'Run Segno on such a machine to have the bash tool.' }
  }
  const hidden = await Promise.all(options.hidden.map((path) => realpath(path).catch(() => resolve(path))))
  const isOff = options.cgroup === 'off'
  const looking = isOff ? undefined : findGroupPlace(options.cgroup)
  const [layout, place] = await Promise.all([readLayout(hidden), looking])
  const common = { layout, limits: options.limits }
  // What the operator chose is not replaced by something weaker.
  const isWanted = options.cgroup !== undefined && !isOff
  if (isWanted && !place) return noGroups(options.cgroup)
  const bounds = { hidden, roots: options.roots ?? [] }
  const problems: string[] = []
  for (const kind of options.kinds ?? ['bubblewrap', 'namespaces']) {
    if (kind === 'bubblewrap' && !isInstalled('bwrap')) {
      problems.push(`${kind}: it is not installed`)
      continue
    }
    for (const groups of place && !isWanted ? [place, undefined] : [place]) {
      const sandbox = createSandbox(kind, common, bounds, groups)
      // On a busy machine a good one may fail once.
      const problem = (await probe(sandbox)) && (await probe(sandbox))
      if (problem === undefined) return sandbox
      problems.push(`${kind}: ${problem}`)
    }
  }
  return {
    missing: `There is no sandbox for bash here (${problems.join('; ')}).`,
    install:
      'Install bash and bubblewrap (apt-get install bubblewrap, dnf install bubblewrap, apk add bubblewrap bash), or util-linux and ' +
      'perl. Users must be able to make namespaces: sysctl user.max_user_namespaces above 0, kernel.unprivileged_userns_clone=1 and ' +
      'kernel.apparmor_restrict_unprivileged_userns=0 where they exist; in a container, --security-opt seccomp=unconfined ' +
      '--security-opt systempaths=unconfined.',
  }
}

const isInstalled = (program: string): boolean =>
  SET_UP_PATH.split(':').some((folder) => existsSync(join(folder, program)))

function noGroups(folder: string | undefined): NoSandbox {
  return {
    missing: `SEGNO_CGROUP names ${folder}, where Segno can make no group with a memory limit.`,
    install:
      'Name a cgroup folder that Segno may write to, with memory in its cgroup.subtree_control (cgroup v2) or of the memory ' +
      'controller (v1); or leave the setting out, or say off.',
  }
}

type Common = Pick<Inside, 'layout' | 'limits'>

function createSandbox(kind: SandboxKind, common: Common, bounds: FolderBounds, place?: GroupPlace): Sandbox {
  const filter = seccompFilter(place !== undefined) ?? Buffer.alloc(0)
  return {
    kind,
    memory: place ? 'kernel' : 'watched',
    async *run(command, options) {
      if (command.includes('\0')) throw new Error('A command cannot contain a NUL character.')
      const { path, uid, gid, identity, isGiven, isOpen } = await checkFolder(options.folder, bounds)
      // Limits do not apply to root, so the command runs as the owner of the folder or as a separate user.
      const isRoot = process.getuid?.() === 0
      if (isRoot && uid === 0 && !isGiven && !isOpen) throw new Error(NOT_THEIRS)
      const user = uid === 0 ? { uid: SANDBOX_UID, gid: SANDBOX_UID } : { uid, gid }
      const inside = { ...common, filter, command, timeoutMs: options.timeoutMs }
      const isBubblewrap = kind === 'bubblewrap'
      const exec = isBubblewrap ? bubblewrap(inside, { path: isRoot ? REACHABLE : path, identity }) : namespaces(inside)
      const group = place && (await makeGroup(place, common.limits.memoryBytes))
      const script = startScript({
        parent: process.pid,
        exec,
        folder: path,
        ...(isRoot && { user, give: isGiven }),
        ...(isRoot && isBubblewrap && { bindAt: REACHABLE }),
        ...(group && { members: group.members }),
      })
      try {
        return yield* runCommand(script, { ...options, folder: path }, common.limits, group)
      } finally {
        await group?.remove()
      }
    },
  }
}
