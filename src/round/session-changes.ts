import type { SessionChanges } from '../contract/input.ts'
import { changeParams, PARAM_NAMES, type ModelParams } from '../contract/model-params.ts'
import type { SessionView } from '../contract/views.ts'
import type { InboxStore } from '../store/index.ts'

/** Changes of a session that are stored as inputs but not in its log yet. */
export async function pendingChanges(store: InboxStore, sessionId: string): Promise<SessionChanges> {
  let changes: SessionChanges = {}
  for (const { body } of await store.pendingInputs(sessionId)) {
    if (body.kind === 'archive') changes = { ...changes, archived: true }
    else if (body.kind === 'change') {
      const { kind: _, params, ...wanted } = body
      changes = { ...changes, ...wanted, ...(params && { params: { ...changes.params, ...params } }) }
    }
  }
  return changes
}

/** A session with the changes that are not in its log yet. */
export function withChanges(session: SessionView, { params = {}, ...changes }: SessionChanges): SessionView {
  const { title, archived, model, protocol } = { ...session, ...changes }
  const { model: _, protocol: __, ...rest } = withoutParams(session)
  const now = changeParams(changeParams({}, session), params)
  return { ...rest, title, archived, ...(model && { model }), ...(protocol && { protocol }), ...now }
}

type OtherFields<T> = Omit<T, keyof ModelParams>

/** All fields but the parameters. */
export function withoutParams<T extends object>(fields: T): OtherFields<T> {
  const others = Object.entries(fields).filter(([name]) => !(PARAM_NAMES as readonly string[]).includes(name))
  return Object.fromEntries(others) as OtherFields<T>
}
