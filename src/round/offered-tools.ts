import type { RoundStarted } from '../contract/event.ts'
import type { RegisteredTool } from '../tool/index.ts'
import type { Hands } from './hands.ts'

/** Only what this actor may use in this mode. */
export function offeredTools(
  hands: Pick<Hands, 'tools'>,
  { mode, permissions }: Pick<RoundStarted, 'mode'> & { readonly permissions: readonly string[] },
): readonly RegisteredTool[] {
  const any = ['*', 'tool:*', 'tool:invoke'].some((one) => permissions.includes(one))
  if (mode === 'act' && any) return hands.tools.all()
  return hands.tools
    .all()
    .filter((tool) => (mode === 'act' || tool.effect === 'pure') && (any || permissions.includes(`tool:${tool.name}`)))
}
