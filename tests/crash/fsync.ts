import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ledger } from './ledger.ts'
import type { Episode, Life } from './plan.ts'
import { runLife } from './run-life.ts'

export const hasStrace = (): boolean => spawnSync('strace', ['-V']).status === 0

const EPISODES: readonly Episode[] = [
  { id: '1', protocol: 'unified', effect: 'unsafe', calls: 2, bystanders: 1, second: 'queue' },
  { id: '2', protocol: 'triggered', effect: 'keyed', calls: 1, decision: 'approve', fork: 'waiting' },
  { id: '3', protocol: 'unified', effect: 'pure', calls: 2, fork: 'ended' },
]

export interface Synced {
  /** acknowledgements that name something stored */
  readonly acknowledged: number
  readonly syncs: number
  /** said before the disk had it, or never written at all */
  readonly early: readonly string[]
}

/**
 * Watches the system calls of one life. Whatever was acknowledged must have been written to the write-ahead log, the
 * log then synced, and only then the acknowledgement written.
 */
export async function watchSyncs(home: string, ledger: Ledger, durability: 'full' | 'normal'): Promise<Synced> {
  const trace = join(home, 'strace.txt')
  const known = { after: {}, decided: [], answered: [], forked: [] }
  const life: Life = { home, ledger: ledger.url, durability, known, steps: EPISODES.map((episode) => ({ episode })) }
  const watched = ['-f', '-y', '-s', '16384', '-e', 'trace=write,pwrite64,fsync,fdatasync', '-o', trace]
  const { code, stderr } = await runLife(life, ledger, undefined, ['strace', ...watched])
  if (code !== 0) throw new Error(`the watched process ended with ${code}: ${stderr}`)
  return judge(readFileSync(trace, 'utf8').split('\n'))
}

function judge(lines: readonly string[]): Synced {
  const written: { at: number; text: string }[] = []
  const synced: number[] = []
  const early: string[] = []
  let acknowledged = 0
  const begun = new Map<string, number>()
  lines.forEach((line, at) => {
    const [pid = ''] = line.split(' ', 1)
    if (line.includes('<unfinished ...>')) begun.set(pid, at)
    // A call that another thread's call cut in two began at its first half and was done at its second.
    const began = line.includes(' resumed>') ? (begun.get(pid) ?? at) : at
    const whole = began === at ? line : (lines[began] ?? '') + line
    if (/ pwrite64\(\d+<[^>]*-wal>/.test(whole)) written.push({ at, text: whole })
    else if (/ f(data)?sync\(\d+<[^>]*-wal>/.test(whole) && line.endsWith(' = 0')) synced.push(at)
    else if (/ write\(3<[^>]*heard/.test(line)) {
      const needles = needlesOf(line)
      if (needles.length === 0) return
      acknowledged += 1
      const stored = written.find(({ text }) => needles.some((needle) => text.includes(needle)))?.at ?? Infinity
      if (!synced.some((when) => when > stored && when < at)) early.push(needles[0] ?? '')
    }
  })
  return { acknowledged, syncs: synced.length, early }
}

/** One of these must be found in the log if this line was true; strace writes quotes as `\\"`. */
function needlesOf(line: string): string[] {
  const what = /"\{\\"type\\":\\"(\w+)\\"/.exec(line)?.[1]
  const id = (name: string): string => new RegExp(`\\\\"${name}\\\\":\\\\"([0-9a-f-]{36})`).exec(line)?.[1] ?? 'nothing'
  switch (what) {
    case 'event': // in two halves, because the end of a page may cut it
      return [`[\\"${id('id').slice(0, 20)}`, `${id('id').slice(-14)}\\",\\"`]
    case 'accepted':
      return [`\\"requestId\\":\\"${id('requestId')}\\"`]
    case 'decided':
      return [`\\"decision\\",\\"approvalId\\":\\"${id('approvalId')}\\"`]
    case 'session':
    case 'forked':
      return [id('sessionId')]
    default:
      return []
  }
}
