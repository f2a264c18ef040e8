import type { EventOf, StoredEvent } from '../../src/contract/event.ts'
import type { Delivery } from './ledger.ts'
import type { State } from './plan.ts'
import { linesOf } from './real-tools.ts'

/** A process does not know which call it works for: the log does, by what was asked for. */
export function nameDeliveries(home: string, deliveries: readonly Delivery[], { sessions }: State): Delivery[] {
  const events = sessions.flatMap(({ parent, events: all }) => all.filter(({ seq }) => seq > (parent?.seq ?? 0)))
  const calls = events.filter((one) => one.type === 'tool.call')
  const named = (one: Delivery, call: EventOf<'tool.call'> | undefined): Delivery => {
    if (!call) return one
    const { callId } = call.data
    const { sessionId, requestId } = call
    return { ...one, callId, sessionId, requestId: requestId ?? '', key: one.key || keyOf(callId, events) }
  }
  return [
    ...deliveries.map((one) =>
      one.callId === ''
        ? named(
            one,
            calls.find(({ data }) => data.args['item'] === itemOf(one)),
          )
        : one,
    ),
    ...linesOf(home).map((item) => {
      const asks = ({ data }: EventOf<'tool.call'>): boolean =>
        JSON.stringify(data.args).startsWith(`{"command":"echo ${item} `)
      return named(ofBash(home, item), calls.find(asks))
    }),
  ]
}

const itemOf = ({ args }: Delivery): unknown => (args as { item?: unknown }).item

function keyOf(callId: string, events: readonly StoredEvent[]): string {
  const start = events.find((one) => one.type === 'tool.started' && one.data.callId === callId)
  return start?.type === 'tool.started' ? start.data.idempotencyKey : `none of ${callId}`
}

/** Nobody outside saw it when it was done, only that it was. */
function ofBash(home: string, item: string): Delivery {
  const nobody = { sessionId: '', requestId: '', callId: '', key: '' }
  return { home, ...nobody, effect: 'unsafe', args: { item }, happened: true, startStored: true }
}
