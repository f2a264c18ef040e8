import { expect, test } from 'vitest'
import { NO_USAGE } from '../../../src/contract/message.ts'
import { createHub } from '../../../src/stream/index.ts'
import { createFollowing } from '../../../src/channel/library/index.ts'
import { started } from '../../conformance/store/facts.ts'
import { eventLog, fact } from '../../support/event-log.ts'

test('what is stored while a long round is read does not hide what was stored before it', async () => {
  const { store, append, sessionId } = await eventLog()
  await append(started('r'))
  for (let i = 0; i < 300; i++) await append(fact('notice', { text: 'x', reason: 'y' }))
  const answer = { turn: 1, content: [{ type: 'text', text: 'the answer' }], usage: NO_USAGE, final: true } as const
  await append(fact('message.assistant', { ...answer, content: [...answer.content], stopReason: 'end_turn' }))
  const completion = createFollowing(store, createHub(store), new AbortController().signal).completion(sessionId, 'r')
  await append(fact('round.ended', { finishReason: 'complete', usage: NO_USAGE, cost: 0 }))
  expect(await completion).toMatchObject({ content: 'the answer', finishReason: 'complete' })
})
