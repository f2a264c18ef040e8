import type { Page } from '../../../../src/client/index.ts'
import { SYSTEM_WORKSPACE, type Workspace } from '../../../../src/contract/workspace.ts'
import { usePolled } from '../../state/polled.ts'

/** The workspaces as id and name; the prompt of the first counts where another has none. */
export function useWorkspaces(): (readonly [id: string, name: string])[] {
  const all = usePolled<Page<Workspace>>('/api/workspaces', 60_000).value?.items ?? []
  return [
    [SYSTEM_WORKSPACE, 'system: wherever there is no other'],
    ...all.flatMap(({ id, name }) => (id === SYSTEM_WORKSPACE ? [] : [[id, name] as const])),
  ]
}
