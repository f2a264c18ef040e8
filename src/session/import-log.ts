import type { EventData, EventType, NewEvent } from '../contract/event.ts'
import type { RoundStarted } from '../contract/round-started.ts'
import { NO_USAGE, type AssistantPart, type JsonObject, type ToolUsePart } from '../contract/message.ts'
import { invalidField } from '../contract/problem.ts'
import type { Effect, Outcome } from '../contract/outcome.ts'
import { MOST_BLOCKS, readOldLine, type OldEvent } from './old-event.ts'

type OldCall = Extract<OldEvent, { type: 'tool.call' }>
type OldResult = Extract<OldEvent, { type: 'tool.result' }>

/** What an imported conversation is written with. */
export interface ImportParts {
  readonly round: Omit<RoundStarted, 'requestId' | 'model'>
  /** no event may be later than this */
  readonly now: number
  readonly mostEvents: number
  newId(): string
  signature(name: string, args: JsonObject): string
}

interface Use {
  readonly part: ToolUsePart
  state: 'used' | 'called' | 'done'
}

interface Round {
  readonly requestId: string
  turn: number
  /** by the id in the imported log */
  readonly uses: Map<string, Use>
  /** calls and results before the message that asked for them */
  readonly early: Map<string, { readonly call: OldCall; readonly result?: OldResult }>
  last: EventData['message.assistant'] | null
}

/**
 * Turns a log in which calls and results may come before their message into Segno's order: message, call, result.
 * Nothing is executed, and no cost is counted again.
 */
export function createImport({ round: started, now, mostEvents, newId, signature }: ImportParts) {
  const events: NewEvent[] = []
  /** the new ids of an imported event */
  const ids = new Map<string, string[]>()
  const deleted: Extract<OldEvent, { type: 'message.deleted' }>[] = []
  let round: Round | null = null
  let at: number | undefined
  let previous: string | undefined

  function add<T extends EventType>(type: T, data: EventData[T]): string {
    if (events.length >= mostEvents)
      throw invalidField('log', `has more than ${mostEvents} events (limit IMPORT_EVENTS)`)
    const id = newId()
    const requestId = round?.requestId ?? null
    events.push({ id, type, v: 1, at: at ?? now, requestId, data, ...(round && { ms: 0 }) } as NewEvent)
    return id
  }

  function open(model?: string): Round {
    if (round) return round
    const requestId = newId()
    round = { requestId, turn: 0, uses: new Map(), early: new Map(), last: null }
    add('round.started', { ...started, requestId, model: model ?? 'imported' })
    return round
  }

  function say(parts: readonly AssistantPart[], model?: string): string[] {
    const into = open(model)
    answerOpen(into)
    if (parts.length === 0) return []
    const turn = (into.turn += 1)
    const content = parts.map((part): AssistantPart => {
      if (part.type !== 'tool_use') return part
      const use: Use = { part: { ...part, id: newId() }, state: 'used' }
      into.uses.set(part.id, use)
      return use.part
    })
    const stopReason = content.some((part) => part.type === 'tool_use') ? 'tool_use' : 'end_turn'
    into.last = { turn, content, stopReason, usage: NO_USAGE, final: false }
    add('turn.started', { turn, model: model ?? 'imported', last: false, layerHashes: [] })
    const id = add('message.assistant', into.last)
    add('turn.ended', { turn, stopReason, usage: NO_USAGE, cost: 0, durationMs: 0 })
    for (const part of parts) if (part.type === 'tool_use') settleEarly(into, part.id)
    return [id]
  }

  function settleEarly({ uses, early }: Round, oldId: string): void {
    const [use, found] = [uses.get(oldId), early.get(oldId)]
    if (!use || !found) return
    early.delete(oldId)
    call(use)
    if (found.result) answer(use, found.result)
  }

  function record({ part: { id: callId, name, input: args } }: Use): string {
    return add('tool.call', { callId, turn: round?.turn ?? 0, name, args, signature: signature(name, args) })
  }

  function call(use: Use): void {
    if (use.state !== 'used') return
    use.state = 'called'
    const { id: callId, name } = use.part
    add('tool.started', { callId, name, idempotencyKey: `segno-${record(use)}`, effect: 'unsafe', reserved: 0 })
  }

  function answer(use: Use, { content, isError, id }: OldResult): void {
    call(use)
    became(id, end(use, isError ? 'error' : 'ok', isError ? 'none' : 'done', content))
  }

  function end(use: Use, outcome: Outcome, effect: Effect, content: string): string {
    use.state = 'done'
    const { id: callId, name, input } = use.part
    const common = { callId, name, signature: signature(name, input), durationMs: 0, cost: 0 }
    return add('tool.result', { ...common, outcome, effect, content, ...(outcome === 'cancelled' && { own: true }) })
  }

  function became(oldId: string | undefined, ...now: string[]): void {
    if (oldId !== undefined) ids.set(oldId, now)
  }

  /** Ends open calls whose end the log does not contain. */
  function answerOpen({ uses }: Round): void {
    for (const use of uses.values()) {
      if (use.state === 'called') end(use, 'unknown', 'unknown', UNKNOWN)
      if (use.state === 'used') {
        record(use)
        end(use, 'cancelled', 'none', CANCELLED)
      }
    }
  }

  /** Adds a message for calls that no message asked for. */
  function sayEarly(asked: ReadonlySet<string>): void {
    const left = [...(round?.early ?? [])].filter(([id]) => !asked.has(id))
    if (left.length > 0)
      say(left.map(([id, { call }]) => ({ type: 'tool_use', id, name: call.name, input: call.input })))
  }

  function close(): void {
    if (!round) return
    sayEarly(new Set())
    answerOpen(round)
    const { last } = round
    if (last?.stopReason === 'end_turn') last.final = true
    add('round.ended', { finishReason: last?.final ? 'complete' : 'cancelled', usage: NO_USAGE, cost: 0 })
    round = null
  }

  function take(event: OldEvent): void {
    switch (event.type) {
      case 'message.user':
        close()
        open()
        return became(event.id, add('message.user', { content: [...event.content] }))
      case 'message.assistant': {
        const messages = inOrder(event.content, (id) => round?.early.has(id) ?? false)
        sayEarly(new Set(event.content.map((part) => (part.type === 'tool_use' ? part.id : ''))))
        return became(event.id, ...messages.flatMap((parts) => say(parts, event.model)))
      }
      case 'tool.call': {
        const { uses, early } = open()
        const use = uses.get(event.callId)
        if (!use && early.size >= MOST_BLOCKS)
          throw event.fail('payload.toolCallId', `is one of more than ${MOST_BLOCKS} calls before their message`)
        if (use) call(use)
        else early.set(event.callId, { ...early.get(event.callId), call: event })
        return
      }
      case 'tool.result': {
        const { uses, early } = open()
        const use = uses.get(event.callId)
        const before = early.get(event.callId)
        if (use?.state === 'done' || before?.result)
          throw event.fail('payload.toolCallId', 'names a call that has its result already')
        if (use) answer(use, event)
        else if (before) early.set(event.callId, { ...before, result: event })
        else throw event.fail('payload.toolCallId', 'names no call before it')
        return
      }
      case 'compact.summary':
        close()
        add('compact.summary', { text: event.text, upTo: events.length + 1 })
        return
      case 'context.cleared':
        close()
        add('context.cleared', { by: started.actor.id, imported: true })
        return
      case 'message.deleted':
        deleted.push(event)
        return
      case 'passed over':
        return
    }
  }

  return {
    /** Reads one line; a Problem names the line and the wrong field. */
    line(text: string, number: number): void {
      const event = readOldLine(text, number)
      if (!event) return
      if (event.parentId !== undefined && previous !== undefined && event.parentId !== previous)
        throw event.fail('parentId', 'is not the event before it; give one line of events, without branches')
      previous = event.id ?? previous
      at = Math.min(Math.max(at ?? 0, event.at ?? at ?? now), now)
      take(event)
    },
    /** All events, with everything open ended. */
    end(): NewEvent[] {
      close()
      for (const { target, fail } of deleted) {
        const became = ids.get(target)
        if (!became) throw fail('payload.targetEventId', 'names no message or result of this log')
        for (const one of became) add('message.deleted', { target: one, by: started.actor.id })
      }
      return events
    },
  }
}

const UNKNOWN =
  'Unknown: the log this came from says that the call began, and not how it ended. It may or may not have happened.'
const CANCELLED = 'Cancelled: the log this came from does not say that the call was carried out.'

/** If results came first, text after a use was said after its result, so it becomes a message of its own. */
function inOrder(parts: readonly AssistantPart[], isEarly: (id: string) => boolean): (readonly AssistantPart[])[] {
  if (!parts.some((part) => part.type === 'tool_use' && isEarly(part.id))) return [parts]
  const messages: AssistantPart[][] = [[]]
  for (const part of parts) {
    const last = messages.at(-1) as AssistantPart[]
    if (part.type !== 'tool_use' && last.some(({ type }) => type === 'tool_use')) messages.push([part])
    else last.push(part)
  }
  return messages
}
