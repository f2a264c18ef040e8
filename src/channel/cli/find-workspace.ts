import type { Client, ShownWorkspace } from '../../client/index.ts'
import { findByStart, isWholeId } from './find-by-start.ts'

export const workspacesOf = (client: Client): Promise<readonly ShownWorkspace[]> =>
  client.list<ShownWorkspace>('/api/workspaces')

/** The whole id of the workspace whose id begins so; the system workspace has a short one. */
export async function workspaceId(client: Client, start: string): Promise<string> {
  if (isWholeId(start) || start === 'system') return start
  return (await findByStart(start, { one: 'workspace', all: () => workspacesOf(client) })).id
}
