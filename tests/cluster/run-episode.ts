import type { Dice } from '../crash/dice.ts'
import type { Violation } from '../crash/checks/evidence.ts'
import type { Heard, State } from '../crash/plan.ts'
import type { PostgresServer } from '../support/postgres/start-postgres.ts'
import { converse, type Shown } from './client.ts'
import { judge, stateOf } from './judge.ts'
import type { Deed } from './node-plan.ts'
import type { ClusterEpisode } from './plan-episode.ts'
import { patiently, type Stage } from './stage.ts'
import { strike, type Struck } from './strike.ts'

export interface EpisodeReport {
  readonly violations: readonly Violation[]
  /** milliseconds from what hit a node to each takeover of a round that it ran */
  readonly takeovers: readonly number[]
  readonly unknown: number
  readonly calls: number
}

export interface EpisodeOptions {
  readonly stage: Stage
  readonly server: PostgresServer
  readonly episode: ClusterEpisode
  readonly faster: number
  readonly dice: Dice
  readonly patienceMs: number
}

/** Conversations through all nodes while something hits the cluster, and what is wrong once all of it is over. */
export async function runEpisode(options: EpisodeOptions): Promise<EpisodeReport> {
  const { stage, server, episode, faster, dice, patienceMs } = options
  const heard: Heard[] = []
  const shown: Shown[] = []
  const over = new AbortController()
  const client = {
    urls: stage.members.map(({ url }) => url),
    dice,
    answerMs: Math.max(1000, 5000 / faster),
    signal: over.signal,
    hear: (what: Heard) => void heard.push(what),
    see: (event: Shown) => void shown.push(event),
  }
  const striking = Promise.all(episode.faults.map((fault) => strike(fault, stage, server)))
  striking.catch(() => {})
  const talking = Promise.all(episode.rounds.map((round) => converse(client, round)))
  const late = setTimeout(() => over.abort(new Error('patience is over')), patienceMs)
  let stuck: string | undefined
  let struck: Struck[] = []
  try {
    await talking
    struck = await striking
  } catch (error) {
    stuck = (error as Error).message
    over.abort()
    struck = await striking.catch(() => [])
  } finally {
    clearTimeout(late)
    over.abort()
  }
  const ids = heard.flatMap((one) => (one.type === 'session' ? [one.sessionId] : []))
  const state = await patiently(() => stateOf(stage.store, ids))
  if (stuck !== undefined) heard.push({ type: 'stuck', episode: String(episode.n), why: stuck, state })
  const mine = new Set(ids)
  const deliveries = stage.ledger.of(stage.home).filter(({ sessionId }) => mine.has(sessionId))
  const deeds = stage.deeds().filter(({ sessionId }) => mine.has(sessionId))
  const violations = judge({ heard, shown, deliveries, deeds, episodes: episode.rounds, state })
  return { violations, takeovers: takeoversAfter(struck, state, deeds), ...tally(state) }
}

/** How long nobody drove the rounds that the nodes had which were hit: from then until another owner went on with them. */
function takeoversAfter(struck: readonly Struck[], { sessions }: State, deeds: readonly Deed[]): number[] {
  // While the database is away nobody can take anything over.
  if (struck.some(({ databaseBack }) => databaseBack !== undefined)) return []
  return struck.flatMap(({ at, member, kind }) => {
    if (!member || kind === 'drain') return []
    return sessions.flatMap(({ id, events }) => {
      const mine = deeds.filter(({ sessionId }) => sessionId === id).toSorted((a, b) => a.at - b.at)
      const before = mine.findLast((deed) => deed.at <= at)
      const next = mine.find((deed) => deed.at > at)
      // It was another node's, or the one that was hit came back in time.
      if (before?.node !== member.name || next?.type !== 'claim') return []
      const taken = events.find((event) => event.type === 'round.resumed' && event.at >= at)
      const start = events.find(({ type, requestId }) => type === 'round.started' && requestId === taken?.requestId)
      return taken && start && start.at < at ? [taken.at - at] : []
    })
  })
}

function tally({ sessions }: State): { unknown: number; calls: number } {
  const results = sessions.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'tool.result' ? [event.data.outcome] : [])),
  )
  return { unknown: results.filter((outcome) => outcome === 'unknown').length, calls: results.length }
}
