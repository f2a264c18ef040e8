import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const stalled = {
  scenarios: [{ when: '^stall', turns: [{ fault: { kind: 'stall' as const } }] }],
  otherwise: { text: 'Done.' },
}

/** One round holds the only slot; a second session has a message that waits for it. */
async function crowded() {
  const it = await segnoUnderTest({ script: stalled, limits: { MAX_ROUNDS: 1 } })
  const busy = await it.send('stall')
  const { id } = await it.segno.createSession()
  const { requestId } = await it.send('hello', { sessionId: id })
  return { it, busy, id, requestId }
}

test('a session that waits for a slot can be renamed at once', async () => {
  const { it, id } = await crowded()
  await it.segno.sessions.change(LOCAL_OWNER, id, { title: 'Renamed' })
  expect(await it.segno.sessions.get(LOCAL_OWNER, id)).toMatchObject({ title: 'Renamed' })
})

test('a session that waits for a slot can be deleted at once', async () => {
  const { it, id } = await crowded()
  await it.segno.sessions.delete(LOCAL_OWNER, id)
  await expect(it.segno.sessions.get(LOCAL_OWNER, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

verifies('COO-4', 'a message that waited keeps waiting through other inputs, and is answered', async () => {
  const { it, busy, id, requestId } = await crowded()
  await it.segno.sessions.change(LOCAL_OWNER, id, { title: 'Renamed' })
  await busy.cancel()
  expect(await it.segno.completion(id, requestId)).toMatchObject({ content: 'Done.', finishReason: 'complete' })
})

verifies('REL-1', 'a message behind a round that failed is answered', async () => {
  const it = await segnoUnderTest({ script: stalled, limits: { DRAIN_MS: 1 } })
  const first = await it.send('stall')
  const second = await it.send('hello')
  // The next start does not know the model the first round was started with.
  await it.reopen({
    model: (model) => ({
      ...model,
      doStream: (options) => {
        if (JSON.stringify(options.prompt).includes('hello')) return model.doStream(options)
        throw Object.assign(new Error('gone'), { statusCode: 401, isRetryable: false })
      },
    }),
  })
  expect(await it.segno.completion(it.sessionId, first.requestId)).toMatchObject({ finishReason: 'error' })
  expect(await it.segno.completion(it.sessionId, second.requestId)).toMatchObject({ content: 'Done.' })
})

verifies('COO-5', 'a cancel that came too early does not use up the one that counts', async () => {
  const it = await segnoUnderTest({ script: stalled })
  const requestId = '0190aaaa-0000-7000-8000-000000000001'
  const tooEarly = it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, requestId)
  await expect(tooEarly).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await it.segno.rounds.send(LOCAL_OWNER, it.sessionId, 'stall', { requestId })
  await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, requestId)
  expect(await it.segno.completion(it.sessionId, requestId)).toMatchObject({ finishReason: 'cancelled' })
})

test('waiting for a round that does not exist is refused', async () => {
  const it = await segnoUnderTest()
  await expect(it.segno.completion(it.sessionId, 'nope')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
