export type { WorkspaceWish } from './check-wish.ts'
export { createWorkspaces, type Workspaces } from './workspaces.ts'
