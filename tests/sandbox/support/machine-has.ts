import { spawnSync } from 'node:child_process'
import type { SandboxKind } from '../../../src/tool/sandbox/sandbox.ts'

export const ORDINARY_UID = 65_534
export const isRoot = process.getuid?.() === 0

const asUser = (uid: number | undefined): string[] =>
  uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--']

const SIMPLEST: Readonly<Record<SandboxKind, string>> = {
  namespaces: 'unshare -Urmpnf --mount-proc perl -e 1',
  bubblewrap: 'bwrap --unshare-all --ro-bind / / true',
}

/**
 * Whether this machine has what a sandbox is made of, found without any code of Segno: a sandbox that is broken must not
 * look like a machine without one, or all tests with it would be left out. As root, a sandbox is made by another user.
 */
export function machineHas(kind: SandboxKind): boolean {
  const [program = '', ...args] = [...asUser(isRoot ? ORDINARY_UID : undefined), ...SIMPLEST[kind].split(' ')]
  return spawnSync(program, args, { cwd: '/' }).status === 0
}
