import type { Actor } from '../contract/actor.ts'
import type { NewEvent } from '../contract/event.ts'
import type { RoundLimits } from '../contract/limits.ts'
import { invalidField } from '../contract/problem.ts'
import { newId } from '../lib/id.ts'
import { loopStep, STEP } from '../lib/loop-step.ts'
import { createImport } from '../session/index.ts'
import { signature, type ToolRegistry } from '../tool/index.ts'

export interface ImportSettings {
  tools(tenant: string, workspaceId: string): Promise<ToolRegistry>
  readonly limits: RoundLimits
  readonly mostChars: number
  readonly mostEvents: number
  readonly now: number
}

/** The events of a log that came from elsewhere, as if they had been written here. */
export async function readImport(
  actor: Actor,
  workspaceId: string,
  log: string,
  { tools, limits, mostChars, mostEvents, now }: ImportSettings,
): Promise<NewEvent[]> {
  if (typeof log !== 'string') throw invalidField('log', 'must be text with a JSON object on each line')
  if (log.length > mostChars) throw invalidField('log', `has more than ${mostChars} characters (limit IMPORT_CHARS)`)
  const registry = await tools(actor.tenant, workspaceId)
  const { id, tenant, permissions } = actor
  const importing = createImport({
    round: {
      actor: { id, tenant },
      permissions: [...permissions],
      protocol: 'unified',
      mode: 'act',
      limits,
      toolResultsAs: 'system',
      attended: false,
      channel: 'import',
    },
    now,
    mostEvents,
    newId,
    signature: (name, args) => signature(registry.get(name), name, args, workspaceId),
  })
  let line = 0
  for (const text of linesOf(log)) {
    importing.line(text, ++line)
    if (line % STEP.limit === 0) await loopStep()
  }
  const events = importing.end()
  if (events.length === 0) throw invalidField('log', 'holds no event')
  return events
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from)
    yield text.slice(from, end < 0 ? undefined : end)
    if (end < 0) return
    from = end + 1
  }
}
