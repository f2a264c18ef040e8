import type { Budgets, Keys } from './account/index.ts'
import type { JobService, Upkeep } from './job/index.ts'
import type { AuditLog } from './audit/index.ts'
import {
  handleMessage,
  sessionStreams,
  streamRequest,
  type Following,
  type RequestOptions,
  type StreamedRequest,
} from './channel/library/index.ts'
import type { Limits } from './config/index.ts'
import { LOCAL_OWNER, type Actor } from './contract/actor.ts'
import type { Channel, ChannelMessage, OrchestratorEvent } from './contract/channel.ts'
import type { MessageContent } from './contract/message.ts'
import type { EffectClass, Protocol } from './contract/outcome.ts'
import type { Policy } from './contract/policy.ts'
import type { Tool, ToolKind } from './contract/tool.ts'
import type { Completion } from './contract/turn.ts'
import type { SessionView } from './contract/views.ts'
import type { Breakers, Embedder, LanguageModel, Models, ModelView, Script } from './model/index.ts'
import type { Explanation } from './policy/index.ts'
import {
  withDisplay,
  type NewSession,
  type Readings,
  type Rounds,
  type Sessions,
  type Supposed,
} from './round/index.ts'
import type { InboxStore, ListStore, LogStore } from './store/index.ts'
import type {
  EventPage,
  EventPageOptions,
  FollowOptions,
  Frame,
  Hub,
  StreamOptions,
  WireStream,
} from './stream/index.ts'
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

/** What Segno offers to whoever says who asks. */
export interface Services {
  readonly sessions: Sessions
  readonly rounds: Rounds
  readonly readings: Readings
  readonly keys: Keys
  readonly workspaces: Workspaces
  readonly audit: AuditLog
  readonly budgets: Budgets
  readonly mcp: McpService
  readonly jobs: JobService
  /** turns texts into vectors; loaded by its first text */
  readonly embedder: Embedder
  /** What this actor may use. */
  tools(actor: Actor, workspaceId?: string): Promise<readonly ToolView[]>
  /** What the gate would decide about a call of this actor, and why. */
  explain(
    actor: Actor,
    call: Pick<Supposed, 'tool' | 'args'> & Partial<Pick<Supposed, 'mode' | 'workspaceId' | 'tainted'>>,
  ): Promise<Explanation>
  /** Are new messages taken? If not, the reason says why. */
  readiness(): Promise<{ readonly reason?: string }>
  stats(): { live: number; running: number; queued: number; full: boolean }
  /** A complete copy of the database while it is in use. */
  backup(file: string): Promise<void>
  /** Takes nothing new, gives running rounds their time, and leaves the rest to the next start. */
  close(): Promise<void>
}

/** Segno, running. Where no actor is given, the local owner asks. */
export interface Segno extends Services, Upkeep {
  /** the model used where nobody asks for another */
  readonly model: string
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
  /** The HTTP API as a function, to mount in another server. `env`: what a server knows of the connection. */
  fetch(request: Request, env?: object): Promise<Response>
}

/** What the facade is made of, besides what it passes on. */
export interface Inside {
  readonly services: Services & Upkeep
  readonly store: LogStore & InboxStore & ListStore
  readonly hub: Hub
  readonly following: Following
  readonly models: Models
  readonly breakers: Breakers
  /** what happens in rounds started by `handleMessage` */
  onEvent(event: OrchestratorEvent): void
}

interface Server {
  fetch(request: Request, env: object): Response | Promise<Response>
}

/** Segno as whoever embeds it sees it. `serve` makes the HTTP API when it is first asked for. */
export function facadeOf(inside: Inside, serve: (segno: Segno) => Promise<Server>): Segno {
  const { services, store, hub, following, models, breakers, onEvent } = inside
  const { sessions, rounds } = services
  const actorOf = (given: { actor?: Actor } | undefined): Actor => given?.actor ?? LOCAL_OWNER
  let server: Promise<Server> | undefined
  const segno: Segno = {
    ...services,
    model: models.standard,
    modelChosenBecause: models.why,
    createSession: (wanted, given) => sessions.create(actorOf(given), wanted),
    async streamRequest(sessionId, content, { actor, ...options } = {}) {
      return streamRequest(rounds, following, actor ?? LOCAL_OWNER, sessionId, content, options)
    },
    async handleMessage(message, channel, session, given) {
      const approval = async (id: string) => {
        const found = await store.approval(id)
        return found && withDisplay(found)
      }
      const handling = { sessions, rounds, following, approval, emit: onEvent }
      return handleMessage(handling, actorOf(given), message, channel, session)
    },
    ...sessionStreams(store, hub, sessions, following),
    models() {
      const open = breakers.open()
      return models.list().map((model) => {
        const leftAloneUntil = open.get(model.provider)
        return leftAloneUntil === undefined ? model : { ...model, leftAloneUntil }
      })
    },
    async fetch(request, connection) {
      server ??= serve(segno)
      return (await server).fetch(request, connection ?? {})
    },
  }
  return segno
}
