import type { SessionView } from '../contract/views.ts'
import { eventSteps, type LogStore } from '../store/index.ts'
import { DIALECTS } from './dialects.ts'
import { encode, jsonOf } from './wire.ts'

/** Every event of a session as the native stream shows it, with raw output, one per line. */
export async function* exportEvents(store: LogStore, { id, workspaceId, seq }: SessionView): AsyncGenerator<string> {
  const encoder = DIALECTS.native.encoder({ sessionId: id, workspaceId, outputs: true })
  for await (const events of eventSteps(store, id, { upTo: seq })) {
    const wires = events.flatMap((event) => encode(encoder, { kind: 'event', event }))
    yield wires.map(({ data }) => `${jsonOf(data)}\n`).join('')
  }
}
