import type { Outcome } from '../../contract/outcome.ts'
import type { Turn } from '../../contract/turn.ts'
import type { ListedRound } from '../../contract/views.ts'
import { visible } from '../../lib/visible.ts'
import { duration, endWords, money, outcomeWords } from './chat/words.ts'
import { findSession } from './find-session.ts'
import { allPages, bodyOf } from './read-answer.ts'
import type { Reached } from './reach.ts'
import { minute } from './sessions-commands.ts'
import { wireEvents } from './wire-events.ts'
import type { Wire } from './wire.ts'

type Listed = Wire<ListedRound>

interface WireRound extends Omit<Listed, 'userId'> {
  readonly userId?: string
  readonly turns: readonly Pick<Wire<Turn>, 'index' | 'status' | 'startedAt' | 'endedAt'>[]
  readonly calls: readonly {
    readonly callId: string
    readonly tool: string
    readonly outcome: Outcome | 'open'
    readonly effect: string
    readonly code?: string
    readonly durationMs?: number
    readonly cost?: number
  }[]
}

export interface RoundFlags {
  readonly state?: string
  readonly session?: string
  readonly all?: boolean
  readonly limit?: number
}

const USUALLY = 20

export async function listRounds(reached: Reached, flags: RoundFlags, json: boolean): Promise<string> {
  const { state, session, all, limit = USUALLY } = flags
  const query = [
    ...(state === undefined ? [] : [`state=${encodeURIComponent(state)}`]),
    ...(session === undefined ? [] : [`session=${(await findSession(reached, session)).id}`]),
    ...(all === true ? ['all=1'] : []),
  ]
  // One more than is shown tells whether there are more.
  const found = await allPages<Listed>(reached, `/api/rounds?${query.join('&')}`, limit + 1)
  const items = found.slice(0, limit)
  if (json) return JSON.stringify(items)
  if (items.length === 0) return 'There are no such rounds.'
  const more =
    found.length > limit ? [`There are more: --limit ${limit * 5} shows them, --state or --session fewer.`] : []
  return [...items.map(roundLine), ...more].join('\n')
}

function roundLine(round: Listed): string {
  const { requestId, startedAt, usage, cost, title, userId } = round
  const price = round.state === 'ended' ? `  ${money(cost, usage)}` : ''
  return `${requestId}  ${minute(startedAt)}  ${stateWords(round)}${price}  ${visible(title ?? `of ${userId}`)}`
}

function stateWords({ state, waitingFor, finishReason }: Omit<Listed, 'userId'>): string {
  if (state === 'waiting') return `waiting for ${waitingFor === 'result' ? 'a result' : (waitingFor ?? 'a person')}`
  return state === 'ended' && finishReason !== undefined ? endWords(finishReason) : state
}

/** How a round stands and, if it has ended, why. */
export async function showRound(reached: Reached, requestId: string, json: boolean): Promise<string> {
  const path = `/api/rounds/${encodeURIComponent(requestId)}`
  const round = await bodyOf<WireRound>(await reached.ask('GET', path), 'requestId', 'state', 'usage')
  const error = round.finishReason === 'error' ? await errorOf(reached, round) : undefined
  if (json) return JSON.stringify({ ...round, ...(error !== undefined && { error }) })
  const { turns, calls, usage, cost } = round
  return [
    `round ${round.requestId}: ${stateWords(round)}`,
    ...(error === undefined ? [] : [`  because  ${visible(error)}`]),
    `  session  ${round.sessionId}`,
    `  how      ${round.protocol}, ${round.mode}, ${visible(round.model)}`,
    `  when     ${round.startedAt}${lasted(round)}`,
    `  cost     ${money(cost, usage)} · ${usage.input} tokens in, ${usage.output} out`,
    ...turns.map((turn) => `  turn ${turn.index}   ${turn.status}${lasted(turn)}`),
    ...calls.map(callWords),
    ...hints(round),
  ].join('\n')
}

async function errorOf(reached: Reached, { sessionId, requestId }: WireRound): Promise<string | undefined> {
  for await (const event of wireEvents(reached, sessionId, { round: requestId }))
    if (event.type === 'round.ended') return event.data.error
  return undefined
}

function lasted({ startedAt, endedAt }: { readonly startedAt: string; readonly endedAt?: string }): string {
  return endedAt === undefined ? '' : ` · ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`
}

function callWords({ tool, callId, outcome, effect, code, durationMs, cost }: WireRound['calls'][number]): string {
  const how = outcome === 'open' ? 'not finished' : outcomeWords(outcome) || 'ok'
  const more = [
    ...(durationMs === undefined ? [] : [duration(durationMs)]),
    ...(cost === undefined || cost === 0 ? [] : [money(cost)]),
  ]
  const what = `${how}${code === undefined ? '' : ` (${code})`}`
  return `  call     ${[`${visible(tool)} → ${what}`, ...more].join(' · ')}${effect === 'unknown' ? `  ${callId}` : ''}`
}

/** What can be done about it. */
function hints({ requestId, state, waitingFor, calls }: WireRound): string[] {
  return [
    ...(state === 'waiting' && waitingFor !== 'result' ? ['  next     segno approvals ls'] : []),
    ...(state === 'paused' ? [`  next     segno rounds resume ${requestId}`] : []),
    ...(calls.some(({ effect }) => effect === 'unknown') ? ['  next     segno calls reconcile <callId>'] : []),
  ]
}

export async function tellRound(
  { ask }: Reached,
  requestId: string,
  what: 'cancel' | 'resume',
  json: boolean,
): Promise<string> {
  const answer = await ask('POST', `/api/rounds/${encodeURIComponent(requestId)}/${what}`)
  const round = await bodyOf<WireRound>(answer, 'requestId', 'state')
  if (json) return JSON.stringify(round)
  if (round.state === 'ended') return `The round has ended: ${stateWords(round)}.`
  return what === 'cancel' ? 'It is stored and will be cancelled.' : 'It is stored and goes on.'
}
