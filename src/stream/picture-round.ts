import type { StoredEvent } from '../contract/event.ts'
import { NO_USAGE, textOf, type JsonObject } from '../contract/message.ts'
import type { Pulse } from '../contract/pulse.ts'
import type { Completion, Turn, TurnCall } from '../contract/turn.ts'
import { readAnswer } from '../lib/read-answer.ts'
import type { Frame } from './frame.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Draft = Writable<Omit<Turn, 'toolCalls'>> & { toolCalls: Writable<TurnCall>[] }

export type RoundPicture = ReturnType<typeof pictureRound>

/** The turns of a round and its end, as far as the frames seen so far show them. */
export function pictureRound(sessionId: string, requestId: string) {
  const turns = new Map<number, Draft>()
  const calls = new Map<string, Completion['calls'][number]>()
  let answer = ''
  let wantsOutput = false
  let output: JsonObject | undefined
  let end: Extract<StoredEvent, { type: 'round.ended' }>['data'] | undefined

  function draft(index: number, at: number): Draft {
    let found = turns.get(index)
    if (!found) {
      found = {
        turnId: `${requestId}:${index}`,
        requestId,
        index,
        status: 'streaming',
        content: '',
        reasoning: '',
        toolCalls: [],
        startedAt: at,
      }
      turns.set(index, found)
    }
    return found
  }

  function forget(index: number): Draft | undefined {
    const found = turns.get(index)
    if (found) Object.assign(found, { content: '', reasoning: '', toolCalls: [] })
    return found
  }

  function seePulse(pulse: Pulse): Draft | undefined {
    if (pulse.type === 'reset') return forget(pulse.turn)
    if (pulse.kind === 'output') return undefined
    const turn = draft(pulse.turn, 0)
    if (pulse.kind === 'text') turn.content = turn.content.slice(0, pulse.offset) + pulse.text
    else if (pulse.kind === 'reasoning') turn.reasoning = turn.reasoning.slice(0, pulse.offset) + pulse.text
    else {
      const known = turn.toolCalls.find((call) => call.callId === pulse.callId)
      if (known) known.args = known.args.slice(0, pulse.offset) + pulse.text
      else turn.toolCalls.push({ callId: pulse.callId ?? '', name: pulse.name ?? '', args: pulse.text })
    }
    return turn
  }

  function seeEvent(event: StoredEvent): Draft | undefined {
    switch (event.type) {
      case 'round.started':
        wantsOutput = event.data.params?.output !== undefined
        return undefined
      case 'turn.started':
        return draft(event.data.turn, event.at)
      case 'round.resumed':
        return forget(event.data.turn)
      case 'turn.retried':
        return event.data.shown ? forget(event.data.turn) : undefined
      case 'message.assistant': {
        const parts = event.data.content
        const text = textOf(parts)
        // Segno's own text at the end of a round belongs to no turn.
        const isOver = turns.get(event.data.turn)?.status !== 'streaming'
        if (event.data.own && event.data.final && !event.data.interrupted && isOver) {
          answer = text
          return undefined
        }
        const turn = draft(event.data.turn, event.at)
        turn.content = text
        turn.reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
        turn.toolCalls = parts.flatMap((part) =>
          part.type === 'tool_use'
            ? [{ callId: part.id, name: part.name, args: part.raw ?? JSON.stringify(part.input) }]
            : [],
        )
        if (event.data.final) {
          answer = text
          if (wantsOutput && event.data.misfit === undefined) output = readAnswer(text) as JsonObject | undefined
        }
        return turn
      }
      case 'turn.ended': {
        const turn = draft(event.data.turn, event.at)
        const failed = ['error', 'timeout', 'cancelled'].includes(event.data.stopReason)
        Object.assign(turn, { status: failed ? 'error' : 'completed', usage: event.data.usage, endedAt: event.at })
        if (event.data.cost !== undefined) turn.cost = event.data.cost
        return turn
      }
      case 'tool.result': {
        const { callId, name, outcome, effect } = event.data
        calls.set(callId, { callId, name, outcome, effect })
        for (const turn of turns.values()) {
          const call = turn.toolCalls.find((one) => one.callId === callId)
          if (!call) continue
          call.outcome = outcome
          return turn
        }
        return undefined
      }
      case 'round.ended':
        end = event.data
        return undefined
      default:
        return undefined
    }
  }

  return {
    /** Takes in a frame; returns the index of the turn it changed, if any. */
    see(frame: Frame): number | undefined {
      if (frame.kind === 'dropped') return undefined
      return (frame.kind === 'pulse' ? seePulse(frame.pulse) : seeEvent(frame.event))?.index
    },
    turn(index: number): Turn | undefined {
      const found = turns.get(index)
      return found && copy(found)
    },
    turns: (): Turn[] => [...turns.values()].map(copy),
    completion: (): Completion => ({
      requestId,
      sessionId,
      content: answer,
      finishReason: end?.finishReason ?? null,
      usage: end?.usage ?? NO_USAGE,
      cost: end?.cost ?? 0,
      calls: [...calls.values()],
      ...(end?.error !== undefined && { error: end.error }),
      ...(output && { output }),
    }),
  }
}

const copy = (turn: Draft): Turn => ({ ...turn, toolCalls: turn.toolCalls.map((call) => ({ ...call })) })
