import type { EventOf, StoredEvent } from '../../../src/contract/event.ts'
import { ANSWER } from '../script-of.ts'
import { messageIdOf, nextMessageOf, type Episode } from '../plan.ts'
import { heardOf, type Check, type Evidence, type Violation } from './evidence.ts'

const stuck = (check: string, what: string): Violation => ({ harm: 'stuck', check, what })

/** Each round that started has one end and, where it is complete, one answer right before it. */
export const roundsEnd: Check = ({ state }) =>
  state.sessions.flatMap(({ id, events }) => {
    const found: Violation[] = []
    for (const [requestId, round] of Map.groupBy(events, (one) => one.requestId)) {
      if (requestId === null) continue
      const check = 'rounds end once'
      const ends = of(round, 'round.ended')
      // A message cancelled while it waited has its end and nothing else.
      if (round.length === 1 && ends[0]?.data.unstarted) continue
      if (of(round, 'round.started').length !== 1 || ends.length !== 1) {
        found.push(stuck(check, `round ${requestId} of session ${id} has ${ends.length} ends`))
        continue
      }
      const [end] = ends as [EventOf<'round.ended'>]
      const answers = of(round, 'message.assistant').filter(({ data }) => data.final)
      if (round.at(-1) !== end) found.push(stuck(check, `round ${requestId} goes on behind its end`))
      if (end.data.finishReason === 'complete' && answers.length !== 1)
        found.push(stuck(check, `round ${requestId} has ${answers.length} answers`))
      found.push(...resumes(requestId, round))
    }
    return found
  })

/** Takeovers are counted from one after every progress, to three at most. */
function resumes(requestId: string, round: readonly StoredEvent[]): Violation[] {
  let n = 0
  for (const event of round) {
    if (event.type === 'message.assistant') n = 0
    if (event.type === 'approval.decided' && event.data.decision !== 'stale') n = 0
    if (event.type === 'tool.result' && event.data.outcome !== 'unknown') n = 0
    if (event.type !== 'round.resumed' || event.data.reason !== 'takeover') continue
    if (event.data.n !== ++n || n > 3)
      return [stuck('takeovers are counted', `round ${requestId} was taken over with n=${event.data.n}, expected ${n}`)]
  }
  return []
}

/** An episode ends with its whole answer, unless a person stopped it or it was given up after three takeovers. */
export const episodesEndWell: Check = (evidence) =>
  evidence.episodes.flatMap((episode) => {
    const sent = heardOf(evidence, 'accepted').find(({ messageId }) => messageId === messageIdOf(episode))
    const round = evidence.state.sessions
      .find(({ id }) => id === sent?.sessionId)
      ?.events.filter(({ requestId }) => requestId === sent?.requestId)
    const reason = of(round ?? [], 'round.ended')[0]?.data.finishReason
    const answer = of(round ?? [], 'message.assistant').find(({ data }) => data.final)
    const takeovers = Math.max(0, ...of(round ?? [], 'round.resumed').map(({ data }) => data.n))
    if (reason === 'complete' && answer?.data.content.some((part) => part.type === 'text' && part.text === ANSWER))
      return []
    if (reason === 'cancelled' && (episode.cancel || episode.second === 'interrupt')) return []
    if (reason === 'error' && takeovers === 3) return []
    const { error = '' } = of(round ?? [], 'round.ended')[0]?.data ?? {}
    return [
      stuck('episodes end well', `episode ${episode.id} ended with ${reason} after ${takeovers} takeovers: ${error}`),
    ]
  })

/** When everything is over, nothing waits for a decision that would have no consequence; what was asked has one end. */
export const nobodyIsAskedInVain: Check = ({ state }) => [
  ...state.pending.map((id) => stuck('nobody is asked in vain', `approval ${id} is left behind`)),
  ...state.sessions.flatMap(({ events }) =>
    of(events, 'approval.requested').flatMap(({ data: { approvalId } }) => {
      const ends = of(events, 'approval.decided').filter(({ data }) => data.approvalId === approvalId).length
      return ends === 1 ? [] : [stuck('nobody is asked in vain', `approval ${approvalId} has ${ends} ends`)]
    }),
  ),
]

/** What another process was to do was put to it. */
export const processesAreThere: Check = (evidence) =>
  evidence.episodes.flatMap((episode) => {
    const sent = heardOf(evidence, 'accepted').find(({ messageId }) => messageId === messageIdOf(episode))
    if (!episode.by || !sent) return []
    const events = evidence.state.sessions.find(({ id }) => id === sent.sessionId)?.events ?? []
    return of(events, 'tool.result')
      .filter(({ requestId, data }) => requestId === sent.requestId && data.outcome === 'refused')
      .map(({ data }) =>
        stuck('processes are there', `${data.name} of episode ${episode.id} was refused: ${data.code}`),
      )
  })

/** The file is sound, every episode came to its end, and each session answered the message after it. */
export const goesOn: Check = (evidence) => {
  const { check } = evidence.state
  return [
    ...check.findings.map((finding) => stuck('the store is sound', finding)),
    ...heardOf(evidence, 'stuck').map(({ episode, why }) => stuck('sessions go on', `episode ${episode}: ${why}`)),
    ...evidence.episodes.flatMap((episode) => unanswered(evidence, episode)),
  ]
}

function unanswered(evidence: Evidence, episode: Episode): Violation[] {
  const requests = new Set(
    heardOf(evidence, 'accepted')
      .filter(({ messageId }) => messageId.startsWith(`${messageIdOf(episode)}-next-`))
      .map(({ requestId }) => requestId),
  )
  const answers = heardOf(evidence, 'answered').filter(({ requestId }) => requests.has(requestId))
  const good = answers.filter(
    ({ finishReason, content }) => finishReason === 'complete' && content === `Echo: ${nextMessageOf(episode)}`,
  )
  if (requests.size > 0 && good.length >= requests.size) return []
  return [
    stuck('sessions go on', `after episode ${episode.id} ${good.length} of ${requests.size} messages were answered`),
  ]
}

function of<T extends StoredEvent['type']>(events: readonly StoredEvent[], type: T): EventOf<T>[] {
  return events.filter((one) => one.type === type) as EventOf<T>[]
}
