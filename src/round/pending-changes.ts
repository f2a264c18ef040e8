import type { EventData } from '../contract/event.ts'
import type { InboxStore } from '../store/index.ts'

/** What was asked to be changed in a session that is busy, and is stored but not in its log yet. */
export async function pendingChanges(store: InboxStore, sessionId: string): Promise<EventData['session.changed']> {
  let changes: EventData['session.changed'] = {}
  for (const { body } of await store.pendingInputs(sessionId)) {
    if (body.kind === 'archive') changes = { ...changes, archived: true }
    else if (body.kind === 'change') {
      const { kind: _, ...wanted } = body
      changes = { ...changes, ...wanted }
    }
  }
  return changes
}
