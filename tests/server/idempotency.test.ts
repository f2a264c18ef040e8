import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { verifies } from '../support/verifies.ts'
import { ask, logOf, newSession } from './support/ask.ts'
import { served } from './support/served.ts'

const MANY = 50
const slowly = { scenarios: [{ when: '', turns: [{ text: 'Here it is.', deltaChars: 2, delayMs: 2 }] }] }

async function ended(url: string, sessionId: string, rounds: number): Promise<void> {
  const ends = async () => (await logOf(url, sessionId)).filter(({ type }) => type === 'round.ended')
  await eventually(async () => (await ends()).length >= rounds)
}

/** A disk that takes its time: all fifty are there before the first of them is stored. */
function slow(store: Store): Store {
  return {
    ...store,
    async commit(change) {
      await sleep(100)
      return store.commit(change)
    },
    async putInput(input, ...more) {
      await sleep(100)
      return store.putInput(input, ...more)
    },
  }
}

for (const onBusy of ['queue', 'reject', 'interrupt']) {
  verifies(
    ['REL-1', 'REL-3'],
    `fifty posts at once with one Idempotency-Key make one round and get one answer (onBusy ${onBusy})`,
    async () => {
      const { url } = await served({ model: slowly }, { store: (open) => slow(open()) })
      const id = await newSession(url)
      const path = `/api/sessions/${id}/messages`
      const post = (content: string) =>
        ask(url, 'POST', path, { content, onBusy }, { 'idempotency-key': 'the same for all' })
      const answers = await Promise.all(Array.from({ length: MANY }, () => post('hi')))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
      expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toHaveLength(1)
      await ended(url, id, 1)
      const late = await post('hi')
      expect([late.status, late.body.requestId]).toEqual([202, answers[0]?.body.requestId])
      expect((await logOf(url, id)).filter(({ type }) => type === 'message.user')).toHaveLength(1)
      expect(await post('something else')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } })
      expect((await logOf(url, id)).filter(({ type }) => type === 'message.user')).toHaveLength(1)
    },
  )
}

/** Writes down in what order messages become durable. */
function noting(store: Store, order: string[]): Store {
  return {
    ...store,
    async commit(change) {
      const result = await store.commit(change)
      // A message that waited was noted when it was stored.
      if (result.kind === 'committed' && !change.consumed)
        for (const { type, requestId } of result.events) if (type === 'round.started') order.push(requestId ?? '')
      return result
    },
    async putInput(input, ...more) {
      const result = await store.putInput(input, ...more)
      if (result === 'stored' && input.body.kind === 'message') order.push(input.body.requestId)
      return result
    },
  }
}

verifies(
  ['REL-3', 'COO-4'],
  'fifty posts at once with fifty keys make fifty rounds, one after the other in the order they were accepted',
  async () => {
    const order: string[] = []
    const { url } = await served({ model: slowly }, { store: (open) => noting(open(), order) })
    const id = await newSession(url)
    const answers = await Promise.all(
      Array.from({ length: MANY }, (_, n) =>
        ask(url, 'POST', `/api/sessions/${id}/messages`, { content: `number ${n}` }, { 'idempotency-key': `key ${n}` }),
      ),
    )
    expect(answers.every(({ status }) => status === 202)).toBe(true)
    expect(answers.filter(({ body }) => body.state === 'running')).toHaveLength(1)
    await ended(url, id, MANY)
    const log = await logOf(url, id)
    const of = (type: string) => log.filter((event) => event.type === type)
    expect(of('round.started').map(({ requestId }) => requestId)).toEqual(order)
    expect(new Set(order)).toEqual(new Set(answers.map(({ body }) => body.requestId)))
    // One at a time: between a start and its end nothing of another round. A summary belongs to no round.
    const ofRounds = log.map(({ requestId }) => requestId).filter((one) => one !== null)
    expect(ofRounds.filter((one, at) => one !== ofRounds[at - 1])).toEqual(order)
    const said = of('message.user').map(({ data, requestId }) => {
      const [part] = data['content'] as readonly { text: string }[]
      return [requestId, part?.text]
    })
    for (const [n, { body }] of answers.entries()) expect(said).toContainEqual([body.requestId, `number ${n}`])
  },
)
