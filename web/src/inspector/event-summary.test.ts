import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../../src/client/index.ts'
import type { EventType } from '../../../src/contract/event.ts'
import { eventSummary } from './event-summary.ts'

const summary = (type: EventType, data: object): string => eventSummary({ type, data } as unknown as WireEvent)
const usage = { input: 410, output: 96 }

describe('an event in one line', () => {
  it('says why a round ended and what it cost', () => {
    expect(summary('round.ended', { finishReason: 'complete', usage, cost: 12_300 })).toBe('answered · $0.0123')
    expect(summary('round.ended', { finishReason: 'error', usage, cost: 0, error: 'The provider is away.' })).toBe(
      'failed · $0 · The provider is away.',
    )
  })

  it('says what a person wrote on one line, and how many files came with it', () => {
    const content = [
      { type: 'text', text: 'first\n\nsecond' },
      { type: 'file', mediaType: 'image/png', hash: '', bytes: 1 },
    ]
    expect(summary('message.user', { content })).toBe('first second · 1 file')
  })

  it('names the calls of an answer without words', () => {
    const content = [{ type: 'tool_use', id: 'c', name: 'calculator', input: {} }]
    expect(summary('message.assistant', { content })).toBe('calls calculator')
  })

  it('shows the arguments of a call as the model wrote them where they could not be read', () => {
    expect(summary('tool.call', { name: 'calculator', args: { a: 1 } })).toBe('calculator · {"a":1}')
    expect(summary('tool.call', { name: 'calculator', args: {}, raw: '{"a":' })).toBe('calculator · {"a":')
  })

  it('says what a round waits for', () => {
    expect(summary('round.waiting', { for: 'approval', callIds: ['a', 'b'] })).toBe('for 2 decisions')
    expect(summary('round.waiting', { for: 'result', callIds: ['a'] })).toBe('for 1 result')
    expect(summary('tool.submitted', { callId: 'a', ref: 'job 7' })).toBe('job 7 · its result comes later')
  })

  it('says how a call came out, with its code, how long it took and what it cost', () => {
    const refused = { name: 'mail', outcome: 'refused', code: 'DUPLICATE', durationMs: 3, cost: 0 }
    expect(summary('tool.result', refused)).toBe('mail · refused · DUPLICATE · 3 ms')
    expect(summary('tool.result', { name: 'mail', outcome: 'ok', durationMs: 1200, cost: 2000 })).toBe(
      'mail · ok · 1.2 s · $0.002',
    )
  })

  it('says what Segno itself asked a model for, and why nothing came of it', () => {
    const asked = { askId: 'a', purpose: 'summary', model: 'm', because: 'the context is full' }
    expect(summary('model.asked', asked)).toBe('summary · m · the context is full')
    const answered = { askId: 'a', purpose: 'summary', usage, durationMs: 1500, failed: 'The provider is away.' }
    expect(summary('model.answered', answered)).toBe('summary · The provider is away. · 1.5 s · 410 in · 96 out')
    expect(summary('compact.summary', { text: 'They agreed.', upTo: 7 })).toBe('up to event 7 · They agreed.')
  })

  it('cuts a text that is long', () => {
    const line = summary('notice', { text: 'word '.repeat(10_000), reason: 'x' })
    expect(line.length).toBeLessThan(130)
    expect(line.endsWith('…')).toBe(true)
  })

  it('leaves characters that cannot be seen in, for who shows it to mark', () => {
    expect(summary('notice', { text: 'a\u202eb\u00a0c', reason: 'x' })).toBe('a\u202eb\u00a0c')
  })

  it('says nothing of an event that only a newer server knows', () => {
    expect(summary('round.danced' as EventType, {})).toBe('')
  })
})
