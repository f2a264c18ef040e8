import type { EventData, IgnoredCall, PhaseEnd, StoredEvent } from '../contract/event.ts'
import type { ToolResult } from '../contract/call-events.ts'
import { REMEMBER } from '../contract/memory.ts'
import type { Json } from '../contract/message.ts'
import { REDACTED } from './input-hash.ts'
import { redactJson, redactOutput, redactText } from './redact-text.ts'

/** How a round used its tools, without personal fields and keys. */
export type TraceEntry = { readonly at: number } & (
  | { readonly type: 'tool_registration'; readonly turn: number; readonly tools: readonly string[] }
  | {
      readonly type: 'tool_call'
      readonly callId: string
      readonly turn: number
      readonly tool: string
      readonly args: Json
      /** the model's text, if it was no valid JSON */
      readonly raw?: string
    }
  | ({ readonly type: 'tool_result' | 'duplicate_tool_call' } & ResultTrace)
  | ({ readonly type: 'orchestration_phase_start' } & EventData['phase.started'])
  | ({ readonly type: 'orchestration_phase_end'; readonly reason: PhaseEnd } & EventData['phase.started'])
  | {
      readonly type: 'ignored_tool_call'
      readonly turn: number
      readonly tool: string
      readonly reason: IgnoredCall['reason']
    }
  | {
      readonly type: 'model_call_failed'
      readonly turn: number
      /** missing for the last one */
      readonly attempt?: number
      readonly said: string
    }
)

interface ResultTrace extends Pick<ToolResult, 'callId' | 'outcome' | 'code' | 'effect' | 'durationMs' | 'cost'> {
  readonly tool: string
  readonly output: string
}

/**
 * Builds the trace of a round from its events; a cut output is shown cut, unless the caller puts it whole into
 * `content`, and the caller puts what a provider said into `providerSaid`.
 */
export function traceOf(events: readonly StoredEvent[]): TraceEntry[] {
  let phase = NO_PHASE
  return events.flatMap((event): TraceEntry[] => {
    const { at } = event
    switch (event.type) {
      case 'turn.started': {
        const { turn, tools } = event.data
        return tools ? [{ at, type: 'tool_registration', turn, tools }] : []
      }
      case 'tool.call': {
        const { callId, turn, name, args, raw } = event.data
        // A memory is seen by the person it is about and by nobody who reads traces.
        const isMemory = name === REMEMBER
        const call = { callId, turn, tool: redactText(name), args: isMemory ? REDACTED : redactJson(args) }
        const said = raw !== undefined && { raw: isMemory ? REDACTED : redactOutput(raw) }
        return [{ at, type: 'tool_call', ...call, ...said }]
      }
      case 'tool.result':
        return [
          {
            at,
            type: event.data.code === 'DUPLICATE' ? 'duplicate_tool_call' : 'tool_result',
            ...resultTrace(event.data),
          },
        ]
      case 'turn.ended': {
        const { turn, ignored = [], providerSaid } = event.data
        return [
          ...failureTrace(at, turn, providerSaid),
          ...ignored.map(({ name, reason }) => ({
            at,
            type: 'ignored_tool_call' as const,
            turn,
            tool: redactText(name),
            reason,
          })),
        ]
      }
      case 'turn.retried': {
        const { turn, attempt, providerSaid } = event.data
        return failureTrace(at, turn, providerSaid, attempt)
      }
      case 'phase.started':
        phase = event.data
        return [{ at, type: 'orchestration_phase_start', ...event.data }]
      case 'phase.ended':
        return [{ at, type: 'orchestration_phase_end', ...phase, ...event.data }]
      default:
        return []
    }
  })
}

/** For a phase whose start is not among the events. */
const NO_PHASE: EventData['phase.started'] = { phase: 'tool_phase', phaseIndex: 0, cycleIndex: 0 }

function failureTrace(at: number, turn: number, said: string | undefined, attempt?: number): TraceEntry[] {
  if (said === undefined) return []
  const one = { at, type: 'model_call_failed' as const, turn }
  return [{ ...one, ...(attempt !== undefined && { attempt }), said: redactText(said) }]
}

function resultTrace(result: ToolResult): ResultTrace {
  const { callId, name, outcome, code, effect, content, durationMs, cost } = result
  return {
    callId,
    tool: redactText(name),
    outcome,
    ...(code !== undefined && { code }),
    effect,
    output: redactOutput(content),
    durationMs,
    cost,
  }
}
