import { isEnabled, mayUseTool } from '../contract/actor.ts'
import { WORKSPACE_INSTRUCTIONS, type RoundStarted } from '../contract/event.ts'
import { hasConsent, type Preferences, type StoredPreferences } from '../contract/preferences.ts'
import { instructionsAreForeign } from '../contract/workspace.ts'
import type { Call, Round, SessionState } from '../session/index.ts'
import type { RegisteredTool, ToolRegistry } from '../tool/index.ts'
import type { Deps, RoundWorkspace } from './deps.ts'
import type { Mailbox } from './mailbox.ts'
import type { OwnedSession } from './owned-session.ts'
import type { PreparedCall } from './prepare-call.ts'

/** What a round works with. `signal` aborts when the round must stop; see `WhyStopped`. */
export interface Work {
  readonly session: OwnedSession
  readonly mailbox: Mailbox
  readonly deps: Deps
  readonly signal: AbortSignal
}

export type StepWork = Work & StepContext

export async function workOfStep(work: Work): Promise<StepWork> {
  return { ...work, ...(await stepContext(work.session.state, roundOf(work).started, work.deps)) }
}

export function roundOf({ session }: { session: { readonly id: string; readonly state: SessionState } }): Round {
  const { round } = session.state
  if (!round) throw new Error(`session ${session.id} has no open round`)
  return round
}

/** Tools and workspace, looked up once per step so that the whole step sees the same. */
export interface StepContext {
  readonly tools: ToolRegistry
  /** the tools this actor may use in this mode */
  readonly offered: readonly RegisteredTool[]
  readonly workspace: RoundWorkspace
  readonly preferences: StoredPreferences | undefined
  /** a source of foreign text in it: the name of a tool, or WORKSPACE_INSTRUCTIONS */
  readonly foreign: string | undefined
  readonly prepared: Map<Call, PreparedCall>
}

type Allowed = Pick<RoundStarted, 'mode' | 'enableTools' | 'params'> & { readonly permissions: readonly string[] }

export async function stepContext(
  { actor, workspaceId }: SessionState,
  allowed: Allowed,
  deps: Pick<Deps, 'tools' | 'workspace' | 'preferences'>,
): Promise<StepContext> {
  const { tenant, id } = actor
  const [tools, workspace, preferences] = await Promise.all([
    deps.tools(tenant, workspaceId),
    deps.workspace(tenant, workspaceId),
    deps.preferences(tenant, id),
  ])
  const offered = offeredTools(tools, allowed, preferences?.preferences)
  const foreign =
    // The description of a foreign tool reaches the model before anything is called.
    offered.find(({ tool }) => tool.foreign)?.name ??
    (instructionsAreForeign(workspace, actor.id) ? WORKSPACE_INSTRUCTIONS : undefined)
  return { tools, offered, workspace, preferences, foreign, prepared: new Map() }
}

/** The tools that the actor, the mode, the sender's options and the user's preferences allow. */
export function offeredTools(
  tools: ToolRegistry,
  allowed: Allowed,
  preferences: Preferences = {},
): readonly RegisteredTool[] {
  const { mode, permissions, enableTools = true, params: { tools: only } = {} } = allowed
  const consented = tools.all().filter(({ tool }) => hasConsent(tool, preferences))
  if (mode === 'act' && enableTools === true && !only && mayUseTool(permissions)) return consented
  return consented.filter(
    ({ name, mayBePure }) =>
      (mode === 'act' || mayBePure) &&
      isEnabled(enableTools, name) &&
      isEnabled(only, name) &&
      mayUseTool(permissions, name),
  )
}
