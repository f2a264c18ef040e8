import { checkAll } from './checks/check-all.ts'
import type { Evidence, Violation } from './checks/evidence.ts'
import type { Delivery, Ledger } from './ledger.ts'
import { survivors } from '../sandbox/support/marked.ts'
import { nameDeliveries } from './name-deliveries.ts'
import type { Doomed } from './plan-kills.ts'
import type { Episode, Heard, Kill, Known, Life, State, Step } from './plan.ts'
import type { PointName } from './points.ts'
import { markOf } from './real-tools.ts'
import { runLife, type Blow, type Ended } from './run-life.ts'

export interface ChainReport {
  readonly kills: readonly PointName[]
  /** points that the process never came to */
  readonly missed: readonly PointName[]
  readonly harms: readonly { readonly point: PointName | undefined; readonly violation: Violation }[]
  readonly evidence: Evidence | undefined
}

export interface ChainOptions extends Pick<Life, 'durability' | 'fault' | 'patienceMs'> {
  /** called after each kill */
  readonly onKill?: (point: PointName) => void
}

const TYPICAL_LIFE_MS = 500

/**
 * One home through many lives. Each episode is killed as planned, then finished by a life that is left alone, checked
 * as a whole, and that same life begins the next episode.
 */
export async function runChain(
  home: string,
  ledger: Ledger,
  chain: readonly Doomed[],
  options: ChainOptions = {},
): Promise<ChainReport> {
  const lives: Heard[][] = []
  const kills: PointName[] = []
  const missed: PointName[] = []
  const harms: ChainReport['harms'][number][] = []
  const over: Episode[] = []
  let evidence: Evidence | undefined
  let nextKill = 0

  function judge(upTo: number): void {
    const heard = [...lives.slice(0, -1), (lives.at(-1) ?? []).slice(0, upTo)]
    const state = lastState(heard)
    const deliveries = nameDeliveries(home, ledger.of(home), state)
    evidence = evidenceOf(heard, deliveries, over, over.length === chain.length)
    for (const violation of checkAll(evidence)) harm(violation)
  }

  function harm(violation: Violation): void {
    if (harms.some((one) => one.violation.what === violation.what)) return
    harms.push({ point: kills.at(-1), violation })
  }

  while (over.length < chain.length) {
    const steps = stepsFrom(chain, over.length, nextKill)
    const { kill: wanted, episode: last } = steps.at(-1) as Step
    const { onKill, ...how } = options
    const life: Life = { home, ledger: ledger.url, steps, known: knownFrom(lives), ...how }
    const ended = await runLife(life, ledger, wanted && blowOf(wanted, last))
    lives.push([...ended.heard])
    if (steps.some(({ episode }) => startsProcesses(episode))) for (const one of await outlived(home)) harm(one)
    let done = 0
    ended.heard.forEach((one, at) => {
      if (one.type !== 'state') return
      over.push((steps[done++] as Step).episode)
      if (done > 1 || !steps[0]?.kill) nextKill = 0
      judge(at + 1)
    })
    if (done === steps.length) {
      if (wanted) missed.push(wanted.point)
      nextKill = 0
    } else if (wanted && diedAsPlanned(ended)) {
      kills.push(wanted.point)
      onKill?.(wanted.point)
      nextKill += 1
    } else {
      if (stuckLines(ended).length > 0) judge(ended.heard.length)
      else harm({ harm: 'stuck', check: 'the process lives', what: describe(ended) })
      break
    }
  }
  return { kills, missed, harms, evidence }
}

/** What can be judged once `over` is over; in the middle, effects of what began later do not count yet. */
export function evidenceOf(
  lives: readonly (readonly Heard[])[],
  deliveries: readonly Delivery[],
  over: readonly Episode[],
  all = true,
): Evidence {
  const state = lastState(lives)
  const rounds = new Set(state.sessions.flatMap(({ events }) => events.map(({ requestId }) => requestId)))
  return {
    lives,
    state,
    episodes: over,
    deliveries: deliveries.filter(({ requestId }) => all || rounds.has(requestId)),
  }
}

function lastState(lives: readonly (readonly Heard[])[]): State {
  const last = lives.flat().findLast((one) => one.type === 'state' || one.type === 'stuck')
  if (last) return last.state
  return { sessions: [], pending: [], check: { ok: false, sessions: 0, events: 0, findings: ['no state'] } }
}

const startsProcesses = ({ by }: Episode): boolean => by === 'bash' || by === 'mcp'

/** Whatever a process started is gone soon after it, however it went; what is left is ended here. */
async function outlived(home: string): Promise<Violation[]> {
  const left = await survivors(markOf(home))
  for (const pid of left) process.kill(pid, 'SIGKILL')
  const what = `${left.length} processes of ${home} are still there after three seconds`
  return left.length === 0 ? [] : [{ harm: 'repeated', check: 'nothing outlives its Segno', what }]
}

/** The open episode with its next kill; or, when it has none left, to its end and on to the first kill of the next. */
function stepsFrom(chain: readonly Doomed[], at: number, nextKill: number): Step[] {
  const { episode, kills } = chain[at] as Doomed
  const kill = kills[nextKill]
  if (kill) return [{ episode, kill }]
  const next = chain[at + 1]
  if (!next?.kills[0]) return [{ episode }]
  return [{ episode }, { episode: next.episode, kill: next.kills[0] }]
}

export function knownFrom(lives: readonly (readonly Heard[])[]): Known {
  const known: Known = { after: {}, decided: [], answered: [], forked: [] }
  for (const one of lives.flat()) {
    if (one.type === 'event') known.after[one.event.sessionId] = one.event.seq
    else if (one.type === 'decided') known.decided.push(one.approvalId)
    else if (one.type === 'result') known.answered.push(one.callId)
    else if (one.type === 'forked') known.forked.push(one.episode)
  }
  return known
}

function blowOf({ point, nth }: Kill, { id }: Episode): Blow | undefined {
  if (point === 'in MCP call' || point === 'in workflow call')
    return { signal: 'SIGKILL', on: 'delivery', of: `${id}-`, afterMs: nth - 1 }
  if (point === 'random') return { signal: 'SIGKILL', on: 'ready', afterMs: nth }
  if (point === 'random start') return { signal: 'SIGKILL', on: 'spawn', afterMs: (nth / 1000) * TYPICAL_LIFE_MS }
  return undefined
}

const stuckLines = ({ heard }: Ended) => heard.filter((one) => one.type === 'stuck')

const diedAsPlanned = (ended: Ended): boolean =>
  ended.signal === 'SIGKILL' && !ended.tooLong && stuckLines(ended).length === 0

function describe({ code, signal, stderr }: Ended): string {
  return `the process ended with ${signal ?? code}: ${stderr.slice(0, 600)}`
}
