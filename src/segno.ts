import type { WorkView } from './job/index.ts'
import type { Budgets, Keys } from './account/index.ts'
import type { AuditLog } from './audit/index.ts'
import type { RequestOptions, StreamedRequest } from './channel/library/index.ts'
import type { Limits } from './config/index.ts'
import type { Actor } from './contract/actor.ts'
import type { Channel, ChannelMessage, OrchestratorEvent } from './contract/channel.ts'
import type { MessageContent } from './contract/message.ts'
import type { EffectClass, Protocol } from './contract/outcome.ts'
import type { Policy } from './contract/policy.ts'
import type { Tool, ToolKind } from './contract/tool.ts'
import type { Completion } from './contract/turn.ts'
import type { SessionView } from './contract/views.ts'
import type { Embedder, LanguageModel, ModelView, Script } from './model/index.ts'
import type { Explanation } from './policy/index.ts'
import type { NewSession, Readings, Rounds, Sessions, Supposed } from './round/index.ts'
import type { CheckReport, Compacted } from './store/index.ts'
import type { EventPage, EventPageOptions, FollowOptions, Frame, StreamOptions, WireStream } from './stream/index.ts'
import type { McpService } from './tool/index.ts'
import type { Workspaces } from './workspace/index.ts'

export interface SegnoOptions {
  /** folder of the database; default `SEGNO_HOME`, else `~/.segno` */
  readonly home?: string
  /** a model, the script of a scripted one, or the key of a known one */
  readonly model?: LanguageModel | Script | string
  /** beside the built-in ones; the same name replaces */
  readonly tools?: readonly Tool[]
  readonly builtInTools?: boolean
  readonly systemPrompt?: string
  /** rules for calls; those of SEGNO_POLICY come after them */
  readonly policy?: Policy
  /** the folder file tools may touch; default `<home>/workspace` */
  readonly folder?: string
  readonly protocol?: Protocol
  readonly durability?: 'full' | 'normal'
  readonly limits?: Partial<Limits>
  /** what happens in rounds started by `handleMessage` */
  readonly onEvent?: (event: OrchestratorEvent) => void
  /** in the place of `process.env` */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A tool as somebody who may use it sees it. */
export interface ToolView {
  readonly name: string
  readonly description: string
  readonly kind: ToolKind
  readonly effect: EffectClass
  /** strangers described it */
  readonly foreign: boolean
  readonly inputSchema: object
}

/** Segno, running. Where no actor is given, the local owner asks. */
export interface Segno {
  /** the model used where nobody asks for another */
  readonly model: string
  /** turns texts into vectors; loaded by its first text */
  readonly embedder: Embedder
  readonly sessions: Sessions
  readonly rounds: Rounds
  readonly readings: Readings
  readonly keys: Keys
  readonly workspaces: Workspaces
  readonly audit: AuditLog
  readonly budgets: Budgets
  readonly mcp: McpService
  createSession(wanted?: NewSession, given?: { actor?: Actor }): Promise<SessionView>
  /** Sends a message; resolves once it is on disk. */
  streamRequest(
    sessionId: string,
    content: MessageContent,
    options?: RequestOptions & { actor?: Actor },
  ): Promise<StreamedRequest>
  /** One message of any channel, from delivery to answer. */
  handleMessage(
    message: ChannelMessage,
    channel: Channel,
    session?: { readonly id: string },
    given?: { actor?: Actor },
  ): Promise<Completion>
  /** Stored events from a cursor on, then live ones with the deltas in between. */
  follow(sessionId: string, options?: FollowOptions & { actor?: Actor }): AsyncIterable<Frame>
  /** One round from its beginning to its end, whenever it is asked for. */
  followRound(
    sessionId: string,
    requestId: string,
    options?: { signal?: AbortSignal; actor?: Actor; outputs?: boolean },
  ): AsyncIterable<Frame>
  /** A session, or a round of it, in a dialect, as a client is sent it. */
  stream(actor: Actor, options: StreamOptions): WireStream
  /** How a round ended, once it has. */
  completion(sessionId: string, requestId: string, given?: { actor?: Actor }): Promise<Completion>
  /** A page of a log, each event as a stream would show it. */
  eventPage(actor: Actor, options: EventPageOptions): Promise<EventPage>
  /** A whole session, some of it at a time: a document to read, or every event as JSON lines. */
  exportSession(actor: Actor, sessionId: string, as: 'markdown' | 'jsonl'): Promise<AsyncIterable<string>>
  /** `leftAloneUntil`: its provider failed too often and is not asked before */
  models(): readonly (ModelView & { readonly leftAloneUntil?: number })[]
  /** why the standard model is the one it is */
  readonly modelChosenBecause: string
  /** What this actor may use. */
  tools(actor: Actor, workspaceId?: string): Promise<readonly ToolView[]>
  /** What the gate would decide about a call of this actor, and why. */
  explain(
    actor: Actor,
    call: Pick<Supposed, 'tool' | 'args'> & Partial<Pick<Supposed, 'mode' | 'workspaceId' | 'tainted'>>,
  ): Promise<Explanation>
  /** Are new messages taken? If not, the reason says why. */
  readiness(): Promise<{ readonly reason?: string }>
  /** The HTTP API as a function, to mount in another server. `env`: what a server knows of the connection. */
  fetch(request: Request, env?: object): Promise<Response>
  stats(): { live: number; running: number; queued: number; full: boolean }
  /** Is the database sound? It goes on beside everything else, and ends when all who asked have left. */
  check(signal?: AbortSignal): Promise<CheckReport>
  /** Gives the room of what was erased back to the disk, in small steps beside everything else. */
  compact(signal?: AbortSignal): Promise<Compacted>
  /** Which of the two goes on now, and how far it is. */
  work(): WorkView | undefined
  /** Stops it; false if nothing goes on. */
  stopWork(): boolean
  /** A complete copy of the database while it is in use. */
  backup(file: string): Promise<void>
  /** Takes nothing new, gives running rounds their time, and leaves the rest to the next start. */
  close(): Promise<void>
}
