import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../../src/client/index.ts'
import type { EventType } from '../../../src/contract/event.ts'
import { foldRound } from '../log/fold-round.ts'
import { timelineOf, type TimelineRow } from './timeline.ts'

const START = Date.UTC(2026, 10, 15)

/** Events as `[milliseconds after the start, type, data]`. */
function drawn(now: number, ...events: [at: number, type: EventType, data: object][]) {
  const wire = events.map(([at, type, data], index) => {
    const time = new Date(START + at).toISOString()
    return { seq: index + 1, type, id: `e${index}`, sessionId: 's', requestId: 'r', turn: null, at: time, data }
  }) as unknown as WireEvent[]
  const timeline = timelineOf(foldRound('r', wire), START + now)
  return { timeline, rows: timeline.rows.map(told) }
}

const told = ({ key, from, to, isOpen, bars }: TimelineRow) =>
  `${key}: ${from - START}–${isOpen ? 'now' : to - START}${bars.map((bar) => ` ${bar.kind} ${bar.from - START}–${bar.to - START}`).join('')}`

const begun = { model: 'm', protocol: 'unified', mode: 'act' }
const usage = { input: 1, output: 1 }
const turnEnds = (turn: number) => ({ turn, stopReason: 'end_turn', usage, durationMs: 1 })
const call = (callId: string) => ({ callId, name: 'write_file', args: {}, turn: 1, signature: '' })
const result = (callId: string, outcome: string) => ({
  callId,
  name: 'x',
  outcome,
  effect: 'none',
  durationMs: 1,
  cost: 0,
})
const ends = { finishReason: 'complete', usage, cost: 0 }

describe('the timeline of a round', () => {
  it('shows an ask that waited an hour beside work of milliseconds', () => {
    const hour = 3_600_000
    const { rows, timeline } = drawn(
      0,
      [0, 'round.started', begun],
      [10, 'turn.started', { turn: 1, model: 'm', last: false, layerHashes: [] }],
      [110, 'turn.ended', turnEnds(1)],
      [110, 'tool.call', call('c')],
      [112, 'approval.requested', { approvalId: 'a', callId: 'c', reason: '', target: '' }],
      [112, 'round.waiting', { for: 'approval', callIds: ['c'], until: null }],
      [hour, 'approval.decided', { approvalId: 'a', callId: 'c', decision: 'approve', by: 'ada' }],
      [hour, 'round.resumed', { n: 1, turn: 1, reason: 'decided' }],
      [hour + 5, 'tool.started', { callId: 'c', effect: 'unsafe' }],
      [hour + 55, 'tool.result', { ...result('c', 'ok'), durationMs: 50 }],
      [hour + 60, 'round.ended', ends],
    )
    expect(rows).toEqual([
      'turn 1 2: 10–110 run 10–110',
      `call c: 110–${hour + 55} run ${hour + 5}–${hour + 55} ask 112–${hour}`,
      `rest 0: 112–${hour} rest 112–${hour}`,
    ])
    expect(timeline.rows.map(({ tookMs }) => tookMs)).toEqual([100, 50, hour - 112])
    expect(timeline.axis.breaks).toHaveLength(1)
    const width = (from: number, to: number) => timeline.axis.place(START + to) - timeline.axis.place(START + from)
    expect(width(10, 110)).toBeGreaterThan(0.4)
    expect(width(112, hour)).toBeLessThan(0.25)
  })

  it('draws what is open up to now, and no further than the end of a round that has ended', () => {
    const start: [number, EventType, object][] = [
      [0, 'round.started', begun],
      [5, 'turn.started', { turn: 1, model: 'm', last: false, layerHashes: [] }],
    ]
    expect(drawn(700, ...start).rows).toEqual(['turn 1 2: 5–now run 5–700'])
    expect(drawn(700, ...start, [90, 'round.ended', ends]).rows).toEqual(['turn 1 2: 5–now run 5–90'])
  })

  it('shows the wait before another try as a wait, and where it was asked again', () => {
    const { rows, timeline } = drawn(
      0,
      [0, 'turn.started', { turn: 1, model: 'm', last: false, layerHashes: [] }],
      [20, 'turn.retried', { turn: 1, attempt: 1, reason: 'overloaded', model: 'm', waitMs: 5000, shown: false }],
      [5100, 'turn.ended', turnEnds(1)],
      [5100, 'round.ended', ends],
    )
    expect(rows).toEqual(['turn 1 1: 0–5100 run 0–20 run 5020–5100 rest 20–5020'])
    expect(timeline.rows[0]?.marks).toEqual([START + 20])
    expect(timeline.axis.breaks.map(({ from, to }) => [from - START, to - START])).toEqual([[20, 5020]])
  })

  it('shows a call that was refused as the moment of its refusal', () => {
    const { rows } = drawn(
      0,
      [0, 'tool.call', call('c')],
      [3, 'tool.result', result('c', 'refused')],
      [9, 'round.ended', ends],
    )
    expect(rows).toEqual(['call c: 0–3 run 3–3'])
  })

  it('leaves out the time without a server, also inside a turn', () => {
    const { timeline, rows } = drawn(
      0,
      [0, 'round.started', begun],
      [10, 'turn.started', { turn: 1, model: 'm', last: false, layerHashes: [] }],
      [60_000, 'round.resumed', { n: 1, turn: 1, reason: 'takeover' }],
      [60_100, 'turn.ended', turnEnds(1)],
      [60_100, 'round.ended', ends],
    )
    expect(rows).toContain('rest 0: 10–60000 rest 10–60000')
    expect(timeline.axis.breaks.map(({ from, to }) => [from - START, to - START])).toEqual([[0, 60_000]])
  })

  it('has no line for words of its own, which take no time', () => {
    const own = {
      turn: 1,
      content: [{ type: 'text', text: 'Stopped.' }],
      stopReason: 'end_turn',
      usage,
      final: true,
      own: true,
    }
    expect(drawn(0, [0, 'message.assistant', own], [9, 'round.ended', ends]).rows).toEqual([])
  })

  it('shows the phases of a triggered round around what happens in them', () => {
    const { rows } = drawn(
      0,
      [0, 'phase.started', { phase: 'tool_phase', phaseIndex: 0, cycleIndex: 0 }],
      [0, 'turn.started', { turn: 1, model: 'm', last: false, layerHashes: [] }],
      [40, 'turn.ended', turnEnds(1)],
      [41, 'phase.ended', { phaseIndex: 0, reason: 'executed' }],
      [50, 'round.ended', ends],
    )
    expect(rows).toEqual(['phase 0: 0–41 phase 0–41', 'turn 1 2: 0–40 run 0–40'])
  })

  it('has what Segno itself asks a model for', () => {
    const ask = { askId: 'a', purpose: 'summary', model: 'm', because: 'it is full' }
    expect(drawn(2000, [0, 'model.asked', ask]).rows).toEqual(['own a: 0–now run 0–2000'])
  })
})
