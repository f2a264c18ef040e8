import type { EventOf, EventType, StoredEvent } from '../../../../src/contract/event.ts'
import type { Protocol } from '../../../../src/contract/outcome.ts'
import { failureSentence } from '../../../../src/model/index.ts'
import type { Play } from '../../../support/faulty-provider/exchange.ts'
import { answers, calls, LOOK_ARGS, WELL } from '../../../support/faulty-provider/plays.ts'
import { WIRE_NAMES, WIRES, type Wire } from '../../../support/faulty-provider/wires.ts'
import type { Stage } from './stage.ts'
import { tryOut, type Tried } from './trial.ts'

/** A way to behave badly, and what comes of it. */
export interface Fault {
  readonly play: Play
  /** how a round ends with a provider that never gets well */
  readonly ends: 'error' | 'timeout'
  /** what people are told; it differs where providers have words of their own */
  readonly reason: string | ((wire: Wire) => string)
  /** false: asking again would not help */
  readonly again?: (wire: Wire) => boolean
  /** something was shown before it broke: that is taken back once */
  readonly shows?: true
  /** it broke in the middle of a call; once well, the provider sends all of it */
  readonly inCall?: true
  /** only providers that can do this */
  readonly on?: (wire: Wire) => boolean
}

const ATTEMPTS = 4
const PROTOCOLS: readonly Protocol[] = ['unified', 'triggered']

/** Tries a fault with every provider in both protocols, and says what went otherwise than it should. */
export async function faultTroubles(stage: Stage, fault: Fault): Promise<string[]> {
  const wires = WIRE_NAMES.map((name) => WIRES[name]).filter((wire) => fault.on?.(wire) ?? true)
  const trials = wires.flatMap((wire) =>
    PROTOCOLS.flatMap((protocol) => [
      stage.inTurn(async () =>
        named(`${wire.name}, ${protocol}, for ever`, await troublesForEver(stage, fault, wire, protocol)),
      ),
      ...(again(fault, wire)
        ? [
            stage.inTurn(async () =>
              named(`${wire.name}, ${protocol}, once`, await troublesOnce(stage, fault, wire, protocol)),
            ),
          ]
        : []),
    ]),
  )
  return (await Promise.all(trials)).flat()
}

const named = (name: string, troubles: readonly string[]): string[] => troubles.map((one) => `${name}: ${one}`)
const again = (fault: Fault, wire: Wire): boolean => fault.again?.(wire) ?? true
const reasonOf = ({ reason }: Fault, wire: Wire): string => (typeof reason === 'string' ? reason : reason(wire))

async function troublesForEver(stage: Stage, fault: Fault, wire: Wire, protocol: Protocol): Promise<string[]> {
  const tried = await tryOut(stage, wire, protocol, () => fault.play)
  const { round, events, requests, looks, troubles } = tried
  const reason = reasonOf(fault, wire)
  const notice = failureSentence(reason)
  const notices = said(events, 'notice').map(({ text }) => text)
  const most = !again(fault, wire) ? 1 : fault.shows ? 2 : ATTEMPTS
  const timedOut = fault.ends === 'timeout'
  // Time can be up before the last attempt is; then it is the round that is over, not the call that failed.
  const isUp = timedOut && notices.length === 0 && tried.tookMs >= (stage.limits.TOTAL_MS ?? 0)
  return [
    ...troubles,
    ...wrong('finish reason', round.finishReason, fault.ends),
    ...wrong('answer', round.content, timedOut ? OVER : `(This could not be finished. ${notice})`),
    ...(isUp ? [] : wrong('notices', notices, [notice])),
    ...retryTroubles(tried, reason, isUp),
    ...(isUp && requests <= most ? [] : wrong('requests', requests, most)),
    ...wrong('calls carried out', looks, []),
  ]
}

const OVER = '(Stopped: this took longer than it may.)'

async function troublesOnce(stage: Stage, fault: Fault, wire: Wire, protocol: Protocol): Promise<string[]> {
  const well = (attempt: number): Play => (fault.inCall && attempt === 2 ? calls : answers)
  const tried = await tryOut(stage, wire, protocol, (attempt) => (attempt === 1 ? fault.play : well(attempt)))
  const { round, events, looks, troubles } = tried
  return [
    ...troubles,
    ...wrong('finish reason', round.finishReason, 'complete'),
    ...wrong('answer', round.content, WELL),
    ...wrong('notices', said(events, 'notice'), []),
    ...wrong('retries', said(events, 'turn.retried').length, 1),
    ...wrong('shown', said(events, 'turn.retried')[0]?.shown, fault.shows ?? false),
    ...retryTroubles(tried, reasonOf(fault, wire)),
    ...wrong('calls carried out', looks, fault.inCall ? [LOOK_ARGS] : []),
  ]
}

/** Every attempt but the last leaves its reason; each request was an attempt or a turn of its own. */
function retryTroubles({ events, requests }: Tried, reason: string, isUp = false): string[] {
  const retries = said(events, 'turn.retried')
  return [
    ...retries.flatMap((retry) => wrong('reason', retry.reason, reason)),
    ...wrong(
      'numbers of the attempts',
      retries.map(({ attempt }) => attempt),
      retries.map((_, at) => at + 1),
    ),
    // Time may be up while a retry is waited for.
    ...(isUp && requests === retries.length
      ? []
      : wrong('requests but retries', requests - retries.length, said(events, 'turn.started').length)),
  ]
}

export function wrong(what: string, is: unknown, expected: unknown): string[] {
  const [a, b] = [JSON.stringify(is), JSON.stringify(expected)]
  return a === b ? [] : [`${what}: ${a}, expected ${b}`]
}

/** What the events of one type say, in order. */
export function said<T extends EventType>(events: readonly StoredEvent[], type: T): EventOf<T>['data'][] {
  return events.filter((event) => event.type === type).map((event) => event.data as EventOf<T>['data'])
}
