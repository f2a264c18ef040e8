export { MOST_CALLS, MOST_FILES, NAME_CHARS, PATH_CHARS } from './check-context.ts'
export { createContexts, type Contexts } from './contexts.ts'
export { createWorkspaces, type Workspaces } from './workspaces.ts'
