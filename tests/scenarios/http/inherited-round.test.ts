import { expect, test } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { asking, type Asking } from './asking.ts'

const mail = () => probe('mail', { effect: 'unsafe', approval: 'ask' })
const script = { scenarios: [{ when: '^mail', turns: [{ calls: [{ name: 'mail' }] }, { text: 'Sent.' }] }] }

const forkOf = async (it: Asking, seq: number): Promise<string> =>
  (await it.http('POST', `/api/sessions/${it.sessionId}/fork`, { seq })).body['id'] as string

const eventsOf = async (it: Asking, sessionId: string, round: string) => {
  const { status, body } = await it.http('GET', `/api/sessions/${sessionId}/events?round=${round}`)
  return { status, types: ((body['items'] ?? []) as { type: string }[]).map(({ type }) => type) }
}

/** What a stream of the round says until it ends by itself. */
async function streamed(it: Asking, sessionId: string, round: string, after: number): Promise<string> {
  const response = await it.segno.fetch(
    new Request(`http://127.0.0.1/api/sessions/${sessionId}/events?round=${round}&after=${after}`, {
      headers: { accept: 'text/event-stream', host: '127.0.0.1' },
    }),
  )
  expect(response.status).toBe(200)
  return response.text()
}

verifies(['LIN-6', 'COO-7'], 'a fork tells of a round it inherited, also when its parent is gone', async () => {
  const it = await asking({})
  const { requestId, events } = await it.ask('hello')
  const fork = await forkOf(it, events.at(-1)?.seq ?? 0)
  const whole = { status: 200, types: events.map(({ type }) => type) }
  expect(await eventsOf(it, fork, requestId)).toEqual(whole)
  await it.http('DELETE', `/api/sessions/${it.sessionId}`)
  expect(await eventsOf(it, fork, requestId)).toEqual(whole)
  const stream = await streamed(it, fork, requestId, 0)
  expect(stream).toContain('event: round.ended')
  expect(stream).toContain(`"sessionId":"${fork}"`)
  expect(await streamed(it, fork, requestId, events.at(-1)?.seq ?? 0)).not.toContain('event: round')
})

test('of a round that was open where it was forked the fork tells its own end', async () => {
  const it = await asking({ tools: [mail()], script })
  const { round, approvals } = await it.askUntilWaiting('mail')
  const { requestId } = round
  const seq = (await it.events()).at(-1)?.seq ?? 0
  const fork = await forkOf(it, seq)
  await it.decide(approvals[0], 'approve')
  await round.completion
  const { status, types } = await eventsOf(it, fork, requestId)
  expect(status).toBe(200)
  expect(types.at(-1)).toBe('round.ended')
  expect(types).not.toContain('tool.started')
  const last = (await it.http('GET', `/api/sessions/${fork}`)).body['seq'] as number
  expect(await streamed(it, fork, requestId, 0)).toContain('event: round.ended')
  expect(await streamed(it, fork, requestId, last)).not.toContain('event: round')
})

test('a round of another session, or one that started after the fork, is not there', async () => {
  const it = await asking({})
  const { events } = await it.ask('hello')
  const fork = await forkOf(it, events.at(-1)?.seq ?? 0)
  const later = await it.ask('again')
  expect((await eventsOf(it, fork, later.requestId)).status).toBe(404)
  const { id: other } = await it.segno.createSession()
  expect((await eventsOf(it, other, later.requestId)).status).toBe(404)
  expect((await eventsOf(it, fork, 'nope')).status).toBe(404)
})
