import { mayUseTool } from '../contract/actor.ts'
import { WORKSPACE_INSTRUCTIONS, type RoundStarted } from '../contract/event.ts'
import { instructionsAreForeign } from '../contract/workspace.ts'
import type { Call, Round, SessionState } from '../session/index.ts'
import type { RegisteredTool, ToolRegistry } from '../tool/index.ts'
import type { Hands, PlaceOfWork } from './hands.ts'
import type { Mailbox } from './mailbox.ts'
import type { OwnedSession } from './owned-session.ts'
import type { PreparedCall } from './prepare-call.ts'

/** What a round works with. `signal` aborts when the round must stop; see `WhyStopped`. */
export interface Work {
  readonly session: OwnedSession
  readonly mailbox: Mailbox
  readonly hands: Hands
  readonly signal: AbortSignal
}

/** What a step of it works with. */
export type StepWork = Work & AtHand

export async function workOfStep(work: Work): Promise<StepWork> {
  return { ...work, ...(await atHand(work.session.state, roundOf(work).started, work.hands)) }
}

/** The round that is being worked on. */
export function roundOf({ session }: { session: { readonly id: string; readonly state: SessionState } }): Round {
  const { round } = session.state
  if (!round) throw new Error(`session ${session.id} has no open round`)
  return round
}

/** What a session has to work with now. It is looked up once for each step: all of a step sees the same. */
export interface AtHand {
  readonly tools: ToolRegistry
  /** those that this actor may use in this mode */
  readonly offered: readonly RegisteredTool[]
  readonly workspace: PlaceOfWork
  /** what strangers wrote of it: a tool by its name, or the instructions */
  readonly foreign: string | undefined
  /** the calls of this step that were looked at */
  readonly prepared: Map<Call, PreparedCall>
}

type Allowed = Pick<RoundStarted, 'mode'> & { readonly permissions: readonly string[] }

export async function atHand(
  { actor, workspaceId }: SessionState,
  allowed: Allowed,
  hands: Pick<Hands, 'tools' | 'workspace'>,
): Promise<AtHand> {
  const tools = await hands.tools(actor.tenant, workspaceId)
  const workspace = await hands.workspace(actor.tenant, workspaceId)
  const offered = offeredTools(tools, allowed)
  const foreign =
    // A tool that strangers described speaks to the model before anything is called.
    offered.find(({ tool }) => tool.foreign)?.name ??
    (instructionsAreForeign(workspace, actor.id) ? WORKSPACE_INSTRUCTIONS : undefined)
  return { tools, offered, workspace, foreign, prepared: new Map() }
}

/** Only what this actor may use in this mode. */
export function offeredTools(tools: ToolRegistry, { mode, permissions }: Allowed): readonly RegisteredTool[] {
  if (mode === 'act' && mayUseTool(permissions)) return tools.all()
  return tools.all().filter((tool) => (mode === 'act' || tool.mayBePure) && mayUseTool(permissions, tool.name))
}
