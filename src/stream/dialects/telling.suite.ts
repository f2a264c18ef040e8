import type { EventData, EventType, StoredEvent } from '../../contract/event.ts'
import { NO_USAGE, type AssistantPart } from '../../contract/message.ts'
import type { FinishReason, Protocol } from '../../contract/outcome.ts'
import type { Delta } from '../../contract/pulse.ts'
import { parseCursor } from '../cursor.ts'
import { DIALECTS, type DialectName } from '../dialects.ts'
import type { Frame } from '../frame.ts'
import { encode, type Wire } from '../wire.ts'

const IDS = { sessionId: 's', workspaceId: 'p' }

/** A story of round `r`, frame by frame. Events are numbered from 1 as they are added. */
export class Story {
  readonly frames: Frame[] = []
  #seq = 0

  event<T extends EventType>(type: T, data: EventData[T], requestId: string | null = 'r'): this {
    const seq = ++this.#seq
    const event = { id: `e${seq}`, sessionId: 's', seq, type, v: 1, at: 0, requestId, data } as unknown as StoredEvent
    this.frames.push({ kind: 'event', event })
    return this
  }

  /** `round.started` and the user's message. */
  begin(protocol: Protocol = 'unified'): this {
    const started = { requestId: 'r', protocol } as EventData['round.started']
    return this.event('round.started', started).event('message.user', { content: [{ type: 'text', text: 'Go.' }] })
  }

  turn(turn: number): this {
    return this.event('turn.started', { turn, model: 'm', last: false, layerHashes: [] })
  }

  delta(text: string, offset: number, more: Partial<Delta> = {}): this {
    const pulse: Delta = { type: 'delta', sessionId: 's', requestId: 'r', turn: 1, kind: 'text', offset, text, ...more }
    this.frames.push({ kind: 'pulse', pulse })
    return this
  }

  reset(turn = 1): this {
    this.frames.push({ kind: 'pulse', pulse: { type: 'reset', sessionId: 's', requestId: 'r', turn, reason: 'cut' } })
    return this
  }

  retried(shown: boolean, turn = 1): this {
    return this.event('turn.retried', { turn, attempt: 1, reason: 'cut', model: 'm', waitMs: 1, shown })
  }

  message(turn: number, text: string, more: Partial<EventData['message.assistant']> = {}): this {
    const content: AssistantPart[] = [{ type: 'text', text }]
    return this.event('message.assistant', {
      turn,
      content,
      stopReason: 'end_turn',
      usage: NO_USAGE,
      final: true,
      ...more,
    })
  }

  turnEnded(turn: number, stopReason: EventData['turn.ended']['stopReason'] = 'end_turn'): this {
    return this.event('turn.ended', { turn, stopReason, usage: { input: 1, output: 2 }, durationMs: 1 })
  }

  call(callId: string, name: string): this {
    return this.event('tool.call', { callId, turn: 1, name, args: {}, signature: '' })
  }

  result(callId: string, name: string, outcome: EventData['tool.result']['outcome'] = 'ok'): this {
    const rest = { signature: '', effect: 'none', content: 'raw output', durationMs: 1, cost: 0 } as const
    return this.event('tool.result', { callId, name, outcome, ...rest })
  }

  ended(finishReason: FinishReason = 'complete', error?: string): this {
    const usage = { input: 10, output: 20 }
    return this.event('round.ended', { finishReason, usage, cost: 3, ...(error !== undefined && { error }) })
  }

  /** A message that waited behind the round was cancelled. */
  cancelledBehind(): this {
    const unstarted = { protocol: 'unified', mode: 'act', model: 'm', queuedAt: 0 } as const
    const data = { finishReason: 'cancelled', usage: { input: 0, output: 0 }, cost: 0, unstarted } as const
    return this.event('round.ended', data, 'behind')
  }

  /** What a client is sent of it, each data parsed. */
  told(dialect: DialectName, { outputs = false } = {}): Told[] {
    const encoder = DIALECTS[dialect].encoder({ ...IDS, outputs })
    return this.frames.flatMap((frame) => encode(encoder, frame)).map(parsed)
  }

  /** What a client is sent that comes back with an id; of the text it gets what is live now in one delta. */
  toldAfter(dialect: DialectName, id: string, live: readonly Frame[] = []): Told[] {
    const cursor = parseCursor(id)
    const at = this.frames.findIndex((frame) => frame.kind === 'event' && frame.event.seq === cursor?.seq)
    const encoder = DIALECTS[dialect].encoder({ ...IDS, outputs: false })
    for (const frame of this.frames.slice(0, at + 1)) if (frame.kind === 'event') encode(encoder, frame)
    if (cursor?.offset !== undefined) encoder.has?.(cursor.offset)
    const rest = this.frames.slice(at + 1).filter((frame) => frame.kind === 'event')
    return [...live, ...rest].flatMap((frame) => encode(encoder, frame)).map(parsed)
  }
}

export interface Told {
  readonly id?: string
  readonly event: string
  readonly data: Record<string, unknown>
}

export const parsed = ({ data, ...wire }: Wire): Told => ({
  ...wire,
  data: (typeof data === 'string' ? JSON.parse(data) : JSON.parse(JSON.stringify(data))) as Told['data'],
})

/** Ids and names only. */
export const brief = (told: readonly Told[]): string[] => told.map(({ id = '-', event }) => `${id} ${event}`)
