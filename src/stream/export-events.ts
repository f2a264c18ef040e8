import type { SessionView } from '../contract/views.ts'
import { eventSteps, type LogStore } from '../store/index.ts'
import { createEncoder } from './create-encoder.ts'
import { jsonOf } from './wire.ts'

/** Every event of a session as the native stream shows it, raw output included: one a line. */
export async function* exportEvents(store: LogStore, { id, workspaceId, seq }: SessionView): AsyncGenerator<string> {
  const encoder = createEncoder('native', { sessionId: id, projectId: workspaceId, outputs: true })
  for await (const events of eventSteps(store, id, { upTo: seq })) {
    const wires = events.flatMap((event) => encoder.encode({ kind: 'event', event }))
    yield wires.map(({ data }) => `${jsonOf(data)}\n`).join('')
  }
}
