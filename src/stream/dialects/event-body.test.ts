import { expect, test } from 'vitest'
import type { StoredEvent } from '../../contract/event.ts'
import type { EventFrame } from '../frame.ts'
import { DIALECTS } from '../dialects.ts'
import { encode } from '../wire.ts'
import { eventBody } from './event-body.ts'
import { advance, nowhere } from './place.ts'
import { Story } from './telling.suite.ts'

const story = new Story()
  .begin('triggered')
  .event('phase.started', { phase: 'tool_phase', phaseIndex: 1, cycleIndex: 1 })
  .turn(1)
  .message(1, 'Quotes " and \u2028 and half a pair \ud800.', { final: false })
  .result('c', 'look', 'ok')
  .event('session.changed', { title: 'x' }, null)
  .ended()
  .begin('unified')
  .turn(1)
  .message(1, 'Hi.')
  .ended()
const events = story.frames.flatMap((frame) =>
  frame.kind === 'event' ? [{ ...frame.event, ...(frame.event.seq % 2 === 0 && { ms: 7 }) }] : [],
)

test.each([true, false])('the text of an event says what its body says, with outputs: %s', (outputs) => {
  const options = { sessionId: 's', workspaceId: 'p "q"', outputs }
  const native = DIALECTS.native.encoder(options)
  const place = nowhere()
  for (const event of events) {
    advance(place, event)
    const [wire] = native.event({ kind: 'event', event })
    expect(wire?.data).toBe(JSON.stringify(eventBody(event, place, options)))
  }
})

test('the long part is made once for all readers, and once more with outputs', () => {
  let made = 0
  const counted = events.map((event): EventFrame => {
    const data = { ...event.data, toJSON: () => ((made += 1), { ...event.data }) }
    return { kind: 'event', event: { ...event, data } as unknown as StoredEvent, made: new Map() }
  })
  const told = (dialect: 'native' | 'phased', outputs: boolean, workspaceId: string) => {
    const encoder = DIALECTS[dialect].encoder({ sessionId: 's', workspaceId, outputs })
    for (const frame of counted) if (frame.event.type !== 'tool.result') encode(encoder, frame)
  }
  for (let i = 0; i < 5; i++) told('native', false, `p${i}`)
  const once = made
  expect(once).toBe(events.length - 1)
  told('phased', false, 'p')
  expect(made).toBe(once)
  told('phased', true, 'p')
  told('native', true, 'p')
  expect(made).toBe(2 * once)
})
