export { createWorkspaces, type Workspaces, type WorkspaceWish } from './workspaces.ts'
