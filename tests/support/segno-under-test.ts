import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RequestOptions, StreamedRequest } from '../../src/channel/library/index.ts'
import type { Limits } from '../../src/config/index.ts'
import { LOCAL_OWNER, type Actor } from '../../src/contract/actor.ts'
import type { EventOf, EventType, StoredEvent } from '../../src/contract/event.ts'
import type { MessageContent } from '../../src/contract/message.ts'
import type { Policy } from '../../src/contract/policy.ts'
import type { Tool } from '../../src/contract/tool.ts'
import type { Completion } from '../../src/contract/turn.ts'
import type { ApprovalView } from '../../src/contract/views.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Model, Script } from '../../src/model/index.ts'
import type { Decision } from '../../src/round/index.ts'
import type { Segno } from '../../src/segno.ts'
import { composeUnderTest } from './compose-under-test.ts'

export type ScriptedTurn = NonNullable<Script['otherwise']>

export interface Opening {
  /** what the model says, whatever it is asked; for more than that give a `script` */
  readonly turns?: readonly ScriptedTurn[]
  /** past the end the last turn comes again */
  readonly repeat?: boolean
  readonly script?: Script
  readonly tools?: readonly Tool[]
  /** default false, so that a test sees its own tools only */
  readonly builtInTools?: boolean
  readonly systemPrompt?: string
  readonly limits?: Partial<Limits>
  readonly policy?: Policy
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** stands between Segno and the scripted model */
  readonly model?: (scripted: LanguageModelV4) => LanguageModelV4
  /** what the registry says of the scripted model, changed */
  readonly entry?: (model: Model) => Model
  /** models besides it, by their key: the scripted one, changed */
  readonly others?: Readonly<Record<string, (scripted: Model) => Model>>
  /** what was told to others stays in the outbox, where the test looks for it */
  readonly keepsOutbox?: boolean
}

type AskOptions = RequestOptions & { actor?: Actor; sessionId?: string }

/** How a round ended, and everything its log says. */
export type Answered = Completion & { readonly events: StoredEvent[] }

export interface SegnoUnderTest {
  readonly home: string
  readonly segno: Segno
  /** a session to talk in */
  readonly sessionId: string
  /** what the model was given, call by call; it starts anew when Segno is opened again */
  readonly requests: readonly LanguageModelV4CallOptions[]
  /** Sends a message and waits for the end of its round. */
  ask(content?: MessageContent, options?: AskOptions): Promise<Answered>
  send(content?: MessageContent, options?: AskOptions): Promise<StreamedRequest>
  events(): Promise<StoredEvent[]>
  /** The `times`-th event of this type, as soon as it is stored. */
  until<T extends EventType>(type: T, times?: number): Promise<EventOf<T>>
  /** Sends a message and waits until its round asks a person. */
  askUntilWaiting(
    content?: string,
    options?: AskOptions,
  ): Promise<{ round: StreamedRequest; approvals: ApprovalView[] }>
  pending(): Promise<ApprovalView[]>
  decide(
    approval: ApprovalView | undefined,
    decision: Decision['decision'],
    more?: Omit<Decision, 'decision'>,
  ): Promise<void>
  /** Closes Segno and opens it on the same folder, with what is given here changed. */
  reopen(changes?: Opening): Promise<void>
}

/** Real Segno in a folder of its own with a scripted model; closed and removed when the test ends. */
export async function segnoUnderTest(opening: Opening = {}): Promise<SegnoUnderTest> {
  const home = mkdtempSync(join(tmpdir(), 'segno-test-'))
  let now = opening
  let opened = await open(home, now)
  onTestFinished(async () => {
    await opened.segno.close()
    rmSync(home, { recursive: true, force: true })
  })
  const { id: sessionId } = await opened.segno.createSession()

  const send: SegnoUnderTest['send'] = (content = 'Go.', { sessionId: other = sessionId, ...options } = {}) =>
    opened.segno.streamRequest(other, content, options)

  const pending: SegnoUnderTest['pending'] = () => opened.segno.rounds.approvals(LOCAL_OWNER, 'pending')

  const until: SegnoUnderTest['until'] = async (type, times = 1) => {
    let seen = 0
    for await (const frame of opened.segno.follow(sessionId)) {
      if (frame.kind === 'event' && frame.event.type === type && ++seen === times) return frame.event as never
    }
    throw new Error(`Segno was closed before the ${type} number ${times}`)
  }

  return {
    home,
    sessionId,
    get segno() {
      return opened.segno
    },
    get requests() {
      return opened.requests
    },
    send,
    pending,
    until,
    async ask(content, options) {
      const round = await send(content, options)
      const completion = await round.completion
      const all = await opened.segno.sessions.events(options?.actor ?? LOCAL_OWNER, round.sessionId)
      return { ...completion, events: all.filter((event) => event.requestId === round.requestId) }
    },
    events: () => opened.segno.sessions.events(LOCAL_OWNER, sessionId),
    async askUntilWaiting(content, options) {
      const before = (await opened.segno.sessions.events(LOCAL_OWNER, sessionId)).filter(isWaiting).length
      const round = await send(content, options)
      await until('round.waiting', before + 1)
      return { round, approvals: await pending() }
    },
    async decide(approval, decision, more = {}) {
      if (!approval) throw new Error('there is nothing to decide')
      await opened.segno.rounds.decide(LOCAL_OWNER, approval.id, { decision, ...more })
    },
    async reopen(changes = {}) {
      await opened.segno.close()
      now = { ...now, ...changes }
      opened = await open(home, now)
    },
  }
}

const isWaiting = (event: StoredEvent): boolean => event.type === 'round.waiting'

async function open(home: string, opening: Opening) {
  const { turns = [{}], repeat = false, model: wrap = (model) => model, entry = (model) => model } = opening
  const { others = {} } = opening
  const requests: LanguageModelV4CallOptions[] = []
  const segno = await composeUnderTest(
    {
      home,
      env: opening.env ?? {},
      durability: 'normal',
      builtInTools: opening.builtInTools ?? false,
      model: opening.script ?? { scenarios: [{ when: '', turns, repeat }] },
      tools: opening.tools ?? [],
      limits: { RETRY_BASE_MS: 1, DRAIN_MS: 50, ...opening.limits },
      ...(opening.systemPrompt !== undefined && { systemPrompt: opening.systemPrompt }),
      ...(opening.policy && { policy: opening.policy }),
    },
    {
      ...(opening.clock && { clock: opening.clock }),
      ...(opening.keepsOutbox && { store: (open) => ({ ...open(), removeOutbox: () => Promise.resolve() }) }),
      deps: (deps) => ({
        ...deps,
        model(key) {
          const other = others[key]
          const model = other ? { ...other(entry(deps.model('scripted'))), key } : entry(deps.model(key))
          return watched(model, wrap, requests)
        },
      }),
    },
  )
  return { segno, requests }
}

function watched(
  model: Model,
  wrap: (model: LanguageModelV4) => LanguageModelV4,
  requests: LanguageModelV4CallOptions[],
): Model {
  return { ...model, language: recording(wrap(model.language), requests) }
}

function recording(model: LanguageModelV4, requests: LanguageModelV4CallOptions[]): LanguageModelV4 {
  return {
    ...model,
    doStream: (options) => {
      requests.push(options)
      return model.doStream(options)
    },
  }
}

/** What the events of one type say, in order. */
export function said<T extends EventType>(events: readonly StoredEvent[], type: T): EventOf<T>['data'][] {
  return events.filter((event) => event.type === type).map((event) => event.data as EventOf<T>['data'])
}
