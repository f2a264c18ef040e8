import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { StoredEvent } from '../../src/contract/event.ts'
import { textOf } from '../../src/contract/message.ts'
import type { Store } from '../../src/store/index.ts'
import { Books, dayOf, type Amounts } from './books.ts'
import type { InDatabase } from './commit-order.ts'
import { ONCE, QUOTAS } from './paid-tools.ts'
import { limitsOf, type Plan } from './plan.ts'

export interface MoneyHarm {
  readonly check: string
  readonly what: string
}

export interface Judged {
  readonly harms: readonly MoneyHarm[]
  readonly reservations: number
  /** how rounds ended, and why calls were refused, with how often */
  readonly ends: Readonly<Record<string, number>>
  readonly refusals: Readonly<Record<string, number>>
  /** the most that was spent and set aside at any moment */
  readonly most: Amounts
}

/** Everything that is wrong with the money of a home; nothing, if all is well. */
export async function judgeMoney(plan: Plan, file: InDatabase, store: Store, world: string): Promise<Judged> {
  const harms: MoneyHarm[] = []
  const harm = (check: string, what: string): void => void harms.push({ check, what })
  const { dailyTokens, dailyToolCost, dailyCost } = limitsOf(plan)
  const books = new Books(dailyTokens !== null || dailyCost !== null)
  const most: Amounts = { tokens: 0, toolCost: 0, cost: 0 }
  const running = new Map<string, string>()
  for (const event of file.commits.flat()) {
    books.book(event)
    const used = books.used(dayOf(event.at))
    for (const [what, limit] of [
      ['tokens', dailyTokens],
      ['toolCost', dailyToolCost],
      ['cost', dailyCost],
    ] as const) {
      most[what] = Math.max(most[what], used[what])
      if (limit !== null && used[what] > limit)
        harm('never more than the limit', `${what}: ${used[what]} of ${limit} with event ${event.id} (${event.type})`)
    }
    if (event.type === 'tool.started') running.set(event.data.callId, event.data.name ?? '')
    if (event.type === 'tool.result') running.delete(event.data.callId)
    const atOnce = [...running.values()].filter((name) => name === 'few_at_once').length
    if (atOnce > QUOTAS.few_at_once.concurrent)
      harm('no more at once than the quota', `the log has ${atOnce} at once with event ${event.id}`)
  }
  harms.push(...books.harms, ...roundHarms(file.commits.flat()), ...worldHarms(world))
  if (books.open > 0) harm('everything is settled', `${books.open} reservations are still open`)
  if (file.pending > 0) harm('nothing is stuck', `${file.pending} approvals are left behind`)
  harms.push(...(await counterHarms(books, file, store)))
  const hourly = startsOf(file.commits.flat(), 'few_an_hour')
  if (hourly > QUOTAS.few_an_hour.perHour) harm('no more an hour than the quota', `the log has ${hourly} calls`)
  return {
    harms,
    reservations: books.reservations,
    ends: tally(file.commits.flat().flatMap((one) => (one.type === 'round.ended' ? [one.data.finishReason] : []))),
    refusals: tally(
      file.commits.flat().flatMap((one) => (one.type === 'tool.result' && one.data.code ? [one.data.code] : [])),
    ),
    most,
  }
}

/** The counters say what the log says, and the store finds nothing wrong with itself. */
async function counterHarms(books: Books, { reservations }: InDatabase, store: Store): Promise<MoneyHarm[]> {
  const check = 'counters say what the log says'
  const found = (await store.check()).findings.map((what) => ({ check: 'the store is sound', what }))
  const counted = new Map(
    (await store.spending(LOCAL_OWNER.tenant)).map(({ day, userId: _, ...spent }) => [day, spent]),
  )
  for (const day of new Set([...counted.keys(), ...books.spent.keys()])) {
    const [inLog, inStore] = [books.spent.get(day), counted.get(day)].map((one) => amounts(one))
    if (inLog !== inStore) found.push({ check, what: `the log says ${inLog} were spent, the counters ${inStore}` })
  }
  const open = reservations.filter(({ settled_at }) => settled_at === null).length
  if (open !== books.open) found.push({ check, what: `${open} reservations are open, ${books.open} in the log` })
  const tokens = total(reservations.map(({ spent_tokens }) => spent_tokens))
  const cost = total(reservations.map(({ spent_cost }) => spent_cost))
  const inLog = `${books.reservations} reservations of ${books.settledTokens} tokens and ${books.settledCost}`
  const inStore = `${reservations.length} reservations of ${tokens} tokens and ${cost}`
  if (inLog !== inStore) found.push({ check, what: `the log has ${inLog}, the store ${inStore}` })
  return found
}

/** Each round that began has one end; one that was refused ends with words that say so. */
function roundHarms(events: readonly StoredEvent[]): MoneyHarm[] {
  const own = events.filter((event) => event.requestId !== null)
  return [...Map.groupBy(own, ({ sessionId, requestId }) => `${sessionId} ${requestId}`)].flatMap(([round, its]) => {
    const ends = its.filter((one) => one.type === 'round.ended')
    const [end] = ends
    if (!end || ends.length > 1) return [{ check: 'nothing is stuck', what: `round ${round} has ${ends.length} ends` }]
    const check = 'refused rounds say why'
    const answer = its.findLast((one) => one.type === 'message.assistant')
    const says = answer?.type === 'message.assistant' && answer.data.final ? textOf(answer.data.content) : ''
    const noticed = its.some((one) => one.type === 'notice' && one.data.reason === 'budget')
    const { finishReason } = end.data
    if (finishReason === 'budget' && !says.includes('budget')) return [{ check, what: `round ${round} says "${says}"` }]
    if (noticed && finishReason !== 'budget' && finishReason !== 'cancelled')
      return [{ check, what: `round ${round} was refused and ended with ${finishReason}` }]
    return []
  })
}

/** What the tools themselves wrote down: how many ran at once, how many at all, and none that may not ran twice. */
function worldHarms(world: string): MoneyHarm[] {
  const harms: MoneyHarm[] = []
  const running = new Set<string>()
  const begun = new Map<string, number>()
  for (const line of world.split('\n')) {
    const [what, name = '', callId = ''] = line.split(' ')
    if (what === 'a') running.clear()
    if (what === 'ends') running.delete(`${name} ${callId}`)
    if (what !== 'begins') continue
    running.add(`${name} ${callId}`)
    begun.set(`${name} ${callId}`, (begun.get(`${name} ${callId}`) ?? 0) + 1)
    const atOnce = [...running].filter((one) => one.startsWith('few_at_once ')).length
    if (atOnce > QUOTAS.few_at_once.concurrent)
      harms.push({ check: 'no more at once than the quota', what: `${atOnce} ran at once` })
  }
  const hourly = [...begun.keys()].filter((one) => one.startsWith('few_an_hour ')).length
  if (hourly > QUOTAS.few_an_hour.perHour)
    harms.push({ check: 'no more an hour than the quota', what: `${hourly} calls ran` })
  for (const [call, times] of begun)
    if (times > 1 && ONCE.some((name) => call.startsWith(`${name} `)))
      harms.push({ check: 'unsafe calls run once', what: `${call} ran ${times} times` })
  return harms
}

const startsOf = (events: readonly StoredEvent[], name: string): number =>
  events.filter((one) => one.type === 'tool.started' && one.data.name === name).length

const amounts = ({ tokens, toolCost, cost }: Amounts = { tokens: 0, toolCost: 0, cost: 0 }): string =>
  `${tokens} tokens, ${toolCost} for tools, ${cost} in all`

const total = (list: readonly (number | null)[]): number => list.reduce<number>((sum, one) => sum + (one ?? 0), 0)

function tally(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, some]) => [word, some.length]))
}
