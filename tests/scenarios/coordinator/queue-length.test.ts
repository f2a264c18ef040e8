import { expect } from 'vitest'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'

const HOLDING = [{ calls: [{ name: 'hold' }] }, { text: 'ok' }]

verifies(
  'COO-4',
  'past the length of the queue a message is refused, not stored, and told when to come again',
  async () => {
    const hold = gateTool()
    const u = await segnoUnderTest({ tools: [hold], turns: HOLDING, limits: { QUEUE_LENGTH: 2 } })
    const taken = [await u.send('running'), await u.send('one'), await u.send('two')]
    const problem = await problemOf(u.send('too many'))
    expect(problem.code).toBe('RATE_LIMITED')
    expect(problem.retryAfterMs).toBeGreaterThan(0)
    hold.open()
    await Promise.all(taken.map(({ completion }) => completion))
    expect(said(await u.events(), 'message.user')).toHaveLength(3)
  },
)

verifies('COO-4', 'messages that come at once do not get past the length of the queue', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: HOLDING, limits: { QUEUE_LENGTH: 3, MAX_ROUNDS: 1 } })
  await u.send('running')
  await hold.entered
  const others = await Promise.all(Array.from({ length: 6 }, () => u.segno.createSession()))
  const sessions = [u.sessionId, ...others.map(({ id }) => id)]
  const results = await Promise.allSettled(sessions.map((sessionId) => u.send('hello', { sessionId })))
  const taken = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(taken).toHaveLength(3)
  hold.open()
  await Promise.all(taken.map(({ completion }) => completion))
})

verifies('COO-4', 'a queue that was full takes messages again when it has moved on', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: HOLDING, limits: { QUEUE_LENGTH: 1 } })
  await u.send('running')
  const one = await u.send('one')
  await problemOf(u.send('too many'))
  hold.open()
  await one.completion
  expect(await u.ask('again')).toMatchObject({ finishReason: 'complete' })
})
