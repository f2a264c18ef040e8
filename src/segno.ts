import type { Budgets, Keys, Preferences } from './account/index.ts'
import type { JobService, Upkeep } from './job/index.ts'
import type { AuditLog } from './audit/index.ts'
import {
  handleMessage,
  sessionStreams,
  streamRequest,
  type Following,
  type RequestOptions,
  type StreamedRequest,
  withKnownOptions,
} from './channel/library/index.ts'
import type { ClusterView } from './cluster/index.ts'
import type { Limits } from './config/index.ts'
import { LOCAL_OWNER, type Actor } from './contract/actor.ts'
import type { Channel, ChannelMessage, OrchestratorEvent } from './contract/channel.ts'
import type { JsonObject, MessageContent } from './contract/message.ts'
import type { Protocol, RefusalCode, Verdict } from './contract/outcome.ts'
import type { Explanation, Policy } from './contract/policy.ts'
import type { Tool } from './contract/tool.ts'
import type { Completion } from './contract/turn.ts'
import type { MissingTool, SessionView, ToolView } from './contract/views.ts'
import type { Documents, Memories, Prompts } from './knowledge/index.ts'
import type { Breakers, Embedder, LearnedWindows, LanguageModel, Models, ModelView, Script } from './model/index.ts'
import type { Providers } from './provider/index.ts'
import {
  withDisplay,
  type Coordinator,
  type NewSession,
  type Readings,
  type Rounds,
  type Sessions,
  type Supposed,
} from './round/index.ts'
import type { Secrets } from './secret/index.ts'
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
import type { Summary } from './telemetry/index.ts'
import type { McpService } from './tool/index.ts'
import type { Events, Hooks, Invocations, Schedules, Triggers, Webhooks, Workflows } from './workflow/index.ts'
import type { Contexts, Workspaces } from './workspace/index.ts'

export interface SegnoOptions {
  /** folder of the database; default `SEGNO_HOME`, else `~/.segno` */
  readonly home?: string
  /** a model, the script of a scripted one, or the key of a known one */
  readonly model?: LanguageModel | Script | string
  /** besides the built-in ones; a tool with the same name replaces one */
  readonly tools?: readonly Tool[]
  readonly builtInTools?: boolean
  readonly systemPrompt?: string
  /** rules for calls, before those of SEGNO_POLICY */
  readonly policy?: Policy
  /** the folder that file tools may touch; default `<home>/workspace` */
  readonly folder?: string
  readonly protocol?: Protocol
  readonly durability?: 'full' | 'normal'
  readonly limits?: Partial<Limits>
  /** what happens in rounds started by `handleMessage` */
  readonly onEvent?: (event: OrchestratorEvent) => void
  /** instead of `process.env` */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Where a call would be made. */
type CallPlace = Partial<Pick<Supposed, 'mode' | 'workspaceId' | 'tainted'>>

export interface CostView {
  /** micro-dollars */
  readonly cost: number
  /** the same in US cents */
  readonly estimatedCost: number
  /** tokens of a model that the tool asks */
  readonly estimatedTokens?: number
  /** how long it may take at most */
  readonly estimatedLatencyMs: number
  readonly confidence: 'exact' | 'estimate' | 'unknown'
}

export interface Permission {
  /** it would run without asking anybody */
  readonly allowed: boolean
  readonly kind: Verdict['kind']
  readonly reason: string
  /** of a refusal */
  readonly code?: RefusalCode
}

type Stats = ReturnType<Coordinator['stats']>

/** What runs outside of conversations. */
interface Automating {
  readonly workflows: Omit<Workflows, 'toolsOf' | 'whyMissing'>
  readonly invocations: Omit<Invocations, 'startFor' | 'deliver' | 'start'>
  /** addresses that are told of events */
  readonly webhooks: Webhooks
  /** addresses that others call */
  readonly hooks: Hooks
  readonly triggers: Triggers
  readonly schedules: Omit<Schedules, 'tick' | 'stop'>
  readonly events: Pick<Events, 'report'>
}

/** The services of Segno, each for an actor. */
interface Services extends Automating {
  readonly sessions: Sessions
  readonly rounds: Rounds
  readonly readings: Readings
  readonly keys: Keys
  readonly workspaces: Workspaces
  /** what workspaces add to their conversations: files, and what calls returned */
  readonly contexts: Contexts
  readonly prompts: Prompts
  readonly documents: Documents
  readonly preferences: Preferences
  readonly memories: Memories
  readonly audit: AuditLog
  readonly budgets: Budgets
  readonly mcp: McpService
  readonly jobs: JobService
  readonly providers: Providers
  readonly secrets: Pick<Secrets, 'rotate' | 'forgetLost'>
  /** turns texts into vectors; loaded with the first text */
  readonly embedder: Embedder
  /** The tools this actor may use. */
  tools(actor: Actor, workspaceId?: string): Promise<readonly ToolView[]>
  /** Built-in tools that nobody is offered, and how to set them up. */
  readonly missingTools: readonly MissingTool[]
  /** What the gate would decide about a call, why, and what it would cost. */
  explain(actor: Actor, call: Pick<Supposed, 'tool' | 'args'> & CallPlace): Promise<Explanation>
  /** What a call would cost at most; throws a Problem if it could not run. */
  estimateCost(actor: Actor, tool: string, args: JsonObject, at?: CallPlace): Promise<CostView>
  /** Whether the gate would allow a call; nothing is called, asked or recorded. */
  canInvokeTool(actor: Actor, tool: string, args: JsonObject, at?: CallPlace): Promise<Permission>
  /** Why new messages are refused now; no reason if they are accepted. */
  readiness(): Promise<{ readonly reason?: string }>
  stats(): Stats
  /** The same with totals since the start. */
  getMetrics(): Stats & Summary
  /** The processes that share the database. */
  nodes(actor: Actor): ClusterView
  /** Copies the database while it is in use. */
  backup(file: string): Promise<void>
  /** Accepts nothing new, waits for running rounds for a while, and leaves the rest to the next start. */
  close(): Promise<void>
}

/** A running Segno; the default actor is the local owner. */
export interface Segno extends Services, Upkeep {
  /** the default model */
  readonly model: string
  createSession(wanted?: NewSession, given?: { actor?: Actor }): Promise<SessionView>
  /** Sends a message; resolves once it is on disk. */
  streamRequest(
    sessionId: string,
    content: MessageContent,
    options?: RequestOptions & { actor?: Actor },
  ): Promise<StreamedRequest>
  /** Handles one message of a channel, from delivery to answer. */
  handleMessage(
    message: ChannelMessage,
    channel: Channel,
    session?: { readonly id: string },
    given?: { actor?: Actor },
  ): Promise<Completion>
  /** Stored events after a number, then live ones with deltas in between. */
  follow(sessionId: string, options?: FollowOptions & { actor?: Actor }): AsyncIterable<Frame>
  /** One round from its start to its end. */
  followRound(
    sessionId: string,
    requestId: string,
    options?: { signal?: AbortSignal; actor?: Actor; outputs?: boolean },
  ): AsyncIterable<Frame>
  /** A session, or a round of it, as clients of a dialect get it. */
  stream(actor: Actor, options: StreamOptions): WireStream
  /** Resolves when the round has ended. */
  completion(sessionId: string, requestId: string, given?: { actor?: Actor }): Promise<Completion>
  /** A page of a log, with events as in the native stream. */
  eventPage(actor: Actor, options: EventPageOptions): Promise<EventPage>
  /** A whole session in pieces, as a document or as JSON lines with every event. */
  exportSession(actor: Actor, sessionId: string, as: 'markdown' | 'jsonl'): Promise<AsyncIterable<string>>
  /**
   * Servers that list their models are asked for them.
   *
   * `leftAloneUntil`: its provider failed too often and is not called before then; `learnedWindow`: its provider said that
   * the window is smaller
   */
  models(): Promise<readonly (ModelView & { readonly leftAloneUntil?: number; readonly learnedWindow?: number })[]>
  /** why this model is the default */
  readonly modelChosenBecause: string
  /** The HTTP API as a function, for another server; `env` is that server's connection data. */
  fetch(request: Request, env?: object): Promise<Response>
}

export interface Inside {
  readonly services: Services & Upkeep
  readonly store: LogStore & InboxStore & ListStore
  readonly hub: Hub
  readonly following: Following
  readonly models: Models
  readonly breakers: Breakers
  readonly windows: LearnedWindows
  /** what happens in rounds started by `handleMessage` */
  onEvent(event: OrchestratorEvent): void
}

interface Server {
  fetch(request: Request, env: object): Response | Promise<Response>
}

/** `serve` creates the HTTP API on its first use. */
export function facadeOf(inside: Inside, serve: (segno: Segno) => Promise<Server>): Segno {
  const { services, store, hub, following, models, breakers, windows, onEvent } = inside
  const { sessions, rounds } = services
  const actorOf = (given: { actor?: Actor } | undefined): Actor => given?.actor ?? LOCAL_OWNER
  let server: Promise<Server> | undefined
  const segno: Segno = withKnownOptions({
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
    async models() {
      const all = await models.list()
      const open = breakers.open()
      return all.map((model) => {
        const leftAloneUntil = open.get(model.provider)
        const learnedWindow = windows.of(model)
        return {
          ...model,
          ...(leftAloneUntil !== undefined && { leftAloneUntil }),
          ...(learnedWindow !== undefined && { learnedWindow }),
        }
      })
    },
    async fetch(request, connection) {
      server ??= serve(segno)
      return (await server).fetch(request, connection ?? {})
    },
  })
  return segno
}
