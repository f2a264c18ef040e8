import { Client } from 'pg'
import type { EventType } from '../../../src/contract/event.ts'
import { hasEnded, type Invocation } from '../../../src/contract/invocation.ts'
import type { Change, Store } from '../../../src/store/index.ts'
import { STORE } from '../../support/store-under-test.ts'
import { watchTransactions } from '../watched-ports.ts'

/** Comes to a point; does not come back where the process is to die there. */
export type Hit = (point: string) => void

const IN_LOG: Readonly<Partial<Record<EventType, string>>> = {
  'message.user': 'the message',
  'tool.started': 'the start of the call',
  'tool.submitted': 'that the call is submitted',
  'tool.result': 'the result of the call',
  'tool.reconciled': 'what came late',
  'round.ended': 'the end of the round',
}

const inLog = ({ events }: Change): string[] => [...new Set(events.flatMap(({ type }) => IN_LOG[type] ?? []))]

/** The store with a point before, inside and after everything that is stored on the way of a run. */
export function watchRuns(open: () => Store, hit: Hit): Store {
  const storing = new Set<string>()
  const attempts = new Map<string, number>()
  watchInside(() => storing.forEach((name) => hit(`inside ${name}`)))
  const store = open()

  async function around<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const name of names) hit(`before ${name}`)
    for (const name of names) storing.add(name)
    try {
      return await work()
    } finally {
      for (const name of names) storing.delete(name)
      for (const name of names) hit(`after ${name}`)
    }
  }

  function ofChange({ id, origin, status, told, attempts: made, ...changed }: Invocation): string {
    const isDelivery = origin === 'webhook'
    const before = attempts.get(id) ?? 0
    attempts.set(id, made)
    if (made > before) return `the ${made > 1 ? 'second ' : ''}attempt${isDelivery ? ' to deliver' : ''}`
    if (told) return 'that it was told'
    if (isDelivery) return hasEnded({ status }) ? 'that it arrived' : 'that it is delivered again'
    if (hasEnded({ status })) return 'the result'
    if (status === 'running') return 'that it runs'
    return changed.inDoubt || changed.code ? 'that it is tried again' : 'something else of the run'
  }

  return {
    ...store,
    commit: (change) => around(inLog(change), () => store.commit(change)),
    addInvocation: (added, more) =>
      around([added.origin === 'webhook' ? 'the delivery' : 'the run'], () => store.addInvocation(added, more)),
    changeInvocation: (changed, audit) => around([ofChange(changed)], () => store.changeInvocation(changed, audit)),
    putInput: (input, ...more) =>
      around(input.body.kind === 'result' ? ['the answer to the call'] : [], () => store.putInput(input, ...more)),
    addOutbox: (event, more) => around(['the event'], () => store.addOutbox(event, more)),
    removeOutbox: (place) => around(['that the event was told'], () => store.removeOutbox(place)),
    changeAutomation: (changed, more) => around(['the next time'], () => store.changeAutomation(changed, more)),
  }
}

/** What PostgreSQL makes durable, whether or not somebody is there to hear so. */
const DURABLE = /^COMMIT\b|commit_changes|commit_telling|put_input|^DELETE FROM outbox/

function watchInside(hit: () => void): void {
  if (STORE === 'sqlite') return watchTransactions(hit)
  const query = Client.prototype.query as (this: Client, ...given: unknown[]) => unknown
  Client.prototype.query = function (this: Client, ...given: unknown[]): unknown {
    const answer = query.apply(this, given)
    if (DURABLE.test(String(given[0]))) hit()
    return answer
  } as typeof Client.prototype.query
}
