import type { Page } from '../../../src/client/index.ts'
import { SYSTEM_WORKSPACE, type Workspace } from '../../../src/contract/workspace.ts'
import { usePolled } from '../state/polled.ts'
import { visibleText } from '../text/visible.ts'

type Workspaces = readonly (readonly [id: string, name: string])[]

/** The workspaces as id and name, that of the whole tenant first. `system`: what it means here. */
export function useWorkspaces(system: string): Workspaces {
  const all = usePolled<Page<Workspace>>('/api/workspaces', 60_000).value?.items ?? []
  return [
    [SYSTEM_WORKSPACE, `system: ${system}`],
    ...all.flatMap(({ id, name }) => (id === SYSTEM_WORKSPACE ? [] : [[id, name] as const])),
  ]
}

/** Safe to show; the id of one that is not known. */
export const nameIn = (workspaces: Workspaces, id: string): string =>
  id === SYSTEM_WORKSPACE ? id : visibleText(workspaces.find(([known]) => known === id)?.[1] ?? id)
