import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxKind, SandboxLimits } from '../../../src/tool/sandbox/sandbox.ts'
import { SANDBOX_LIMITS } from '../../support/limits.ts'
import { isRoot, ORDINARY_UID } from './machine-has.ts'
import { type Runner, startRunner } from './start-runner.ts'

/** Small enough to be passed in a second. */
export const SMALL: SandboxLimits = {
  ...SANDBOX_LIMITS,
  processBytes: 80_000_000,
  memoryBytes: 120_000_000,
  fileBytes: 10_000_000,
  tmpBytes: 5_000_000,
  diskBytes: 30_000_000,
  diskFiles: 1_500,
  outputBytes: 5_000_000,
}

export const CANARY = 'canary-of-segno'

export interface Variant {
  readonly kind: SandboxKind
  /** undefined: as the tests themselves */
  readonly uid: number | undefined
}

export const VARIANTS: readonly Variant[] = (['namespaces', 'bubblewrap'] as const).flatMap((kind) =>
  (isRoot ? [undefined, ORDINARY_UID] : [undefined]).map((uid) => ({ kind, uid })),
)
/** Each kind once, for what is the same whoever Segno is. As root it sees more of a command, so the other is harder. */
export const EACH_KIND = VARIANTS.filter(({ uid }) => !isRoot || uid !== undefined)

export interface Place {
  readonly runner: Runner
  readonly folder: string
  /** beside the folder, with `secret.txt` */
  readonly outside: string
  /** Segno's own folder, with `segno.db` */
  readonly home: string
  readonly uid: number
  close(): Promise<void>
}

/** A workspace between things that are none of its business, and a process to run commands in it. */
export async function makePlace({ kind, uid }: Variant, limits: SandboxLimits = SMALL, cgroup = 'off'): Promise<Place> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'segno-sandbox-')))
  const at = (name: string): string => join(top, name)
  for (const name of ['inside', 'outside', 'home']) mkdirSync(at(name))
  writeFileSync(at('outside/secret.txt'), 'secret')
  writeFileSync(at('home/segno.db'), 'secret')
  if (uid !== undefined) {
    for (const name of ['.', 'inside', 'outside', 'outside/secret.txt', 'home', 'home/segno.db'])
      chownSync(at(name), uid, uid)
  }
  const setup = { kinds: [kind], limits, hidden: [at('home')], roots: [at('inside')], cgroup }
  const runner = await startRunner(setup, [], {
    ...(uid !== undefined && { RUNNER_UID: String(uid) }),
    SEGNO_SECRET: CANARY,
  })
  return {
    runner,
    folder: at('inside'),
    outside: at('outside'),
    home: at('home'),
    uid: uid ?? process.getuid?.() ?? 0,
    async close() {
      await runner.close()
      rmSync(top, { recursive: true, force: true })
    },
  }
}
