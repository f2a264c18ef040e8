import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { verifies } from '../../support/verifies.ts'
import { range } from '../library/support/frames.ts'
import { richSession } from './support/rich-session.ts'

const TYPES =
  'session.created session.changed session.forked session.archived session.deleted ' +
  'round.started round.asked round.waiting round.paused round.resumed round.ended ' +
  'turn.started turn.retried turn.ended phase.started phase.ended notice ' +
  'message.user message.assistant message.deleted context.cleared compact.summary ' +
  'tool.call tool.started tool.submitted tool.result tool.reconciled approval.requested approval.decided'
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

for (const protocol of ['unified', 'triggered'] as const) {
  verifies(
    'LIN-1',
    `the events of a session are numbered without a gap, each with an id, a type and a time (${protocol})`,
    async () => {
      const { u } = await richSession(protocol)
      const events = await u.events()
      expect(events.length).toBeGreaterThan(30)
      expect(events.map(({ seq }) => seq)).toEqual(range(1, events.length))
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
      for (const event of events) {
        expect(event.id).toMatch(UUID_V7)
        expect(event.sessionId).toBe(u.sessionId)
        expect(event.v).toBe(1)
        expect(TYPES.split(' ')).toContain(event.type)
        expect(Math.abs(event.at - Date.now())).toBeLessThan(60_000)
      }
      expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).sort())
    },
  )

  verifies(
    'LIN-1',
    `what was read once is read again the same after more has happened and after a restart (${protocol})`,
    async () => {
      const { u } = await richSession(protocol)
      const before = await u.events()
      await u.ask('more', { protocol })
      await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
      await u.segno.sessions.change(LOCAL_OWNER, u.sessionId, { title: 'Renamed' })
      await u.reopen()
      expect((await u.events()).slice(0, before.length)).toEqual(before)
    },
  )
}

verifies('LIN-1', 'a part of the log is read by its numbers', async () => {
  const { u } = await richSession('unified')
  const all = await u.events()
  const read = (wanted: object) => u.segno.sessions.events(LOCAL_OWNER, u.sessionId, wanted)
  expect(await read({ after: 7 })).toEqual(all.slice(7))
  expect(await read({ upTo: 7 })).toEqual(all.slice(0, 7))
  expect(await read({ after: 3, upTo: 9, limit: 4 })).toEqual(all.slice(3, 7))
})
