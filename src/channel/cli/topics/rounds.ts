import type { Command } from 'commander'
import { ApiProblem, type Round, type RoundSummary, type TraceItem } from '../../../client/index.ts'
import { LATER_KINDS, type LaterKind } from '../../../contract/event.ts'
import { isCountLimit } from '../../../contract/outcome.ts'
import { visible } from '../../../lib/visible.ts'
import { clockTime, duration, endWords, minute, money, outcomeWords, tokenWords } from '../chat/words.ts'
import { listSome, subcommand, wholeNumber, type Answer, type Cli } from '../cli.ts'
import { findSession } from '../find-session.ts'
import type { Reached } from '../reach.ts'

export function roundsTopic(segno: Command, { reaching, looking }: Cli): void {
  const rounds = segno.command('rounds').description('from a message to its answer')
  subcommand(rounds, 'ls', 'list them, newest first', 'segno rounds ls --state running,waiting')
    .option('--state <states>', 'some of queued,running,waiting,paused,ended')
    .option('--session <id>', 'only of this conversation')
    .option('--all', 'of everybody (needs user:read)')
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(listRounds))
  const show = 'how it stands or why it ended, its turns and calls, time and cost'
  subcommand(rounds, 'show <requestId>', show, 'segno rounds show 0199a5c1-7a30-7e07-8d5f-3a1d7d8c9b2e').action(
    looking(showRound),
  )
  subcommand(rounds, 'cancel <requestId>', 'end it now').action(looking(cancelRound))
  subcommand(rounds, 'resume <requestId>', 'let a paused one go on').action(reaching(resumeRound))
  const goOn = 'go on from one that used up its turns or calls, in a new round'
  subcommand(rounds, 'continue <requestId>', goOn).action(reaching(continueRound))
}
interface RoundFlags {
  readonly state?: string
  readonly session?: string
  readonly all?: boolean
  readonly limit?: number
}

export async function listRounds(reached: Reached, { state, session, all, limit }: RoundFlags): Promise<Answer> {
  const query = [
    ...(state === undefined ? [] : [`state=${encodeURIComponent(state)}`]),
    ...(session === undefined ? [] : [`session=${(await findSession(reached, session)).id}`]),
    ...(all === true ? ['all=1'] : []),
  ]
  const words = { line: roundLine, none: 'There are no such rounds.', narrowing: '--state or --session' }
  return listSome(reached, `/api/rounds?${query.join('&')}`, limit, words)
}

function roundLine(round: RoundSummary): string {
  const { requestId, startedAt, usage, cost, title, userId } = round
  const price = round.state === 'ended' ? `  ${money(cost, usage)}` : ''
  return `${requestId}  ${minute(startedAt)}  ${stateWords(round)}${price}  ${visible(title ?? `of ${userId}`)}`
}

const isLater = (what: string | undefined): boolean => LATER_KINDS.includes(what as LaterKind)

const waitingWords = (what = 'a person'): string => (isLater(what) ? `a ${what}` : what)

function stateWords({ state, waitingFor, finishReason }: Pick<Round, 'state' | 'waitingFor' | 'finishReason'>): string {
  if (state === 'waiting') return `waiting for ${waitingWords(waitingFor)}`
  return state === 'ended' && finishReason !== undefined ? endWords(finishReason) : state
}

export async function showRound(reached: Reached, requestId: string): Promise<Answer> {
  const round = await reached.client.round(requestId)
  const error = round.finishReason === 'error' ? await errorOf(reached, round) : undefined
  const failures = error === undefined ? [] : await failuresOf(reached, requestId)
  const rest = round.state === 'waiting' ? await restOf(reached, round) : undefined
  const since = rest === undefined ? '' : ` since ${clockTime(rest.at)}`
  const { turns, calls, usage, cost } = round
  const lines = [
    `round ${round.requestId}: ${stateWords(round)}${since}`,
    ...(rest?.until === undefined ? [] : [`  until    ${clockTime(rest.until)}, then it goes on without`]),
    ...(error === undefined ? [] : [`  because  ${visible(error)}`]),
    ...failures.map(({ turn, said }) => `  said     in turn ${turn}, by the provider: ${visible(said ?? '')}`),
    `  session  ${round.sessionId}`,
    `  how      ${round.protocol}, ${round.mode}, ${visible(round.model)}`,
    `  when     ${round.startedAt}${lasted(round)}`,
    `  cost     ${money(cost, usage)} · ${tokenWords(usage)}`,
    ...turns.map((turn) => `  turn ${turn.index}   ${turn.status}${lasted(turn)}`),
    ...calls.map(callWords),
    ...hints(round),
  ]
  const waiting = rest && { waitingSince: rest.at, waitingUntil: rest.until }
  return { json: { ...round, error, ...waiting, ...(failures.length > 0 && { failures }) }, text: lines.join('\n') }
}

/** Since when it waits, and until when at most. */
async function restOf({ client }: Reached, { sessionId, requestId }: Round): Promise<Rest | undefined> {
  let rest: Rest | undefined
  for await (const { type, at, data } of client.events(sessionId, { round: requestId }))
    if (type === 'round.waiting') {
      const until = data.until === null ? {} : { until: new Date(data.until).toISOString() }
      rest = { at: rest?.at ?? at, ...until }
    } else if (type === 'round.resumed') rest = undefined
  return rest
}

interface Rest {
  readonly at: string
  readonly until?: string
}

async function errorOf({ client }: Reached, { sessionId, requestId }: Round): Promise<string | undefined> {
  for await (const event of client.events(sessionId, { round: requestId }))
    if (event.type === 'round.ended') return event.data.error
  return undefined
}

/** What the provider said about failed model calls, for those who may read traces. */
async function failuresOf({ client }: Reached, requestId: string): Promise<readonly TraceItem[]> {
  try {
    const entries = await client.trace(requestId)
    return entries.filter(({ type }) => type === 'model_call_failed')
  } catch (error) {
    // It may be somebody else's to read, or have expired.
    if (error instanceof ApiProblem && (error.status === 403 || error.status === 404)) return []
    throw error
  }
}

function lasted({ startedAt, endedAt }: { readonly startedAt: string; readonly endedAt?: string }): string {
  return endedAt === undefined ? '' : ` · ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`
}

function callWords({ tool, callId, outcome, effect, code, durationMs, cost }: Round['calls'][number]): string {
  const how = outcome === 'open' ? 'not finished' : outcomeWords(outcome) || 'ok'
  const more = [
    ...(durationMs === undefined ? [] : [duration(durationMs)]),
    ...(cost === undefined || cost === 0 ? [] : [money(cost)]),
  ]
  const what = `${how}${code === undefined ? '' : ` (${code})`}`
  return `  call     ${[`${visible(tool)} → ${what}`, ...more].join(' · ')}${effect === 'unknown' ? `  ${callId}` : ''}`
}

/** What the person can do next. */
function hints({ requestId, state, finishReason, waitingFor, calls }: Round): string[] {
  return [
    ...(state === 'waiting' && !isLater(waitingFor) ? ['  next     segno approvals ls'] : []),
    ...(state === 'paused' ? [`  next     segno rounds resume ${requestId}`] : []),
    ...(isCountLimit(finishReason) ? [`  next     segno rounds continue ${requestId}`] : []),
    ...(calls.some(({ effect }) => effect === 'unknown') ? ['  next     segno calls reconcile <callId>'] : []),
  ]
}

export async function cancelRound({ client }: Reached, requestId: string): Promise<Answer> {
  return stored(await client.cancel(requestId), 'It is stored and will be cancelled.')
}

async function resumeRound({ client }: Reached, requestId: string): Promise<Answer> {
  return stored(await client.resume(requestId), 'It is stored and goes on.')
}

async function continueRound({ client }: Reached, requestId: string): Promise<Answer> {
  const round = await client.continueRound(requestId)
  return {
    json: round,
    text: `It goes on as round ${round.requestId}.\nSee it with: segno chat --session ${round.sessionId}`,
  }
}

function stored(round: Round, text: string): Answer {
  return { json: round, text: round.state === 'ended' ? `The round has ended: ${stateWords(round)}.` : text }
}
