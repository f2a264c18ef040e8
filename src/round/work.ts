import { isEnabled, may, mayUseTool } from '../contract/actor.ts'
import { WORKSPACE_INSTRUCTIONS } from '../contract/sent-prompt.ts'
import type { RoundStarted } from '../contract/round-started.ts'
import { REMEMBER } from '../contract/memory.ts'
import { hasConsent, type Preferences, type StoredPreferences } from '../contract/preferences.ts'
import type { Tool } from '../contract/tool.ts'
import { instructionsAreForeign } from '../contract/workspace.ts'
import { openExchanges, type Call, type Round, type SessionState } from '../session/index.ts'
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

/** The message of the round. */
export function messageOf({ history }: SessionState): { messageId?: string } {
  const id = openExchanges(history).at(-1)?.user?.eventId
  return id === undefined ? {} : { messageId: id }
}

/** Tools and workspace, looked up once per step so that the whole step sees the same. */
export interface StepContext {
  readonly tools: ToolRegistry
  /** the tools this actor may use in this mode */
  readonly offered: readonly RegisteredTool[]
  readonly workspace: RoundWorkspace
  readonly preferences: StoredPreferences | undefined
  /** whether something about the user may be noted */
  readonly mayRemember: boolean
  /** a source of foreign text in it: the name of a tool, or WORKSPACE_INSTRUCTIONS */
  readonly foreign: string | undefined
  readonly prepared: Map<Call, PreparedCall>
}

type Allowed = Pick<RoundStarted, 'mode' | 'enableTools' | 'params'> &
  Partial<Pick<RoundStarted, 'protocol'>> & { readonly permissions: readonly string[] }

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
  const remembering = mayRemember(allowed, preferences?.preferences)
  return { tools, offered, workspace, preferences, mayRemember: remembering, foreign, prepared: new Map() }
}

/** Whether a round may note something about its user, in whatever form. */
export function mayRemember(
  { mode, permissions, enableTools, params }: Allowed,
  preferences: Preferences = {},
): boolean {
  return (
    hasConsent({ consent: 'memory' }, preferences) &&
    mode === 'act' &&
    may({ permissions }, 'memory:write') &&
    isEnabled(enableTools, REMEMBER) &&
    isEnabled(params?.tools, REMEMBER)
  )
}

/** The tools that the actor, the mode, the sender's options and the user's preferences allow. */
export function offeredTools(
  tools: ToolRegistry,
  allowed: Allowed,
  preferences: Preferences = {},
): readonly RegisteredTool[] {
  const { mode, permissions, enableTools = true, params: { tools: only } = {} } = allowed
  const mayRemember = allowed.protocol !== 'triggered' && may(allowed, 'memory:write')
  const isAllowed = ({ needs, remembers }: Tool): boolean =>
    (needs === undefined || may(allowed, needs)) && (!remembers || mayRemember)
  const consented = tools.all().filter(({ tool }) => hasConsent(tool, preferences) && isAllowed(tool))
  if (mode === 'act' && enableTools === true && !only && mayUseTool(permissions)) return consented
  return consented.filter(
    ({ name, mayBePure }) =>
      (mode === 'act' || mayBePure) &&
      isEnabled(enableTools, name) &&
      isEnabled(only, name) &&
      mayUseTool(permissions, name),
  )
}
