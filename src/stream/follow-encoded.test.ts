import { expect, test } from 'vitest'
import type { EventData } from '../contract/event.ts'
import { NO_USAGE } from '../contract/message.ts'
import { eventLog, fact } from '../../tests/support/event-log.ts'
import { followEncoded } from './follow-encoded.ts'
import { createHub } from './hub.ts'

const PAGE = 256
const notice = fact('notice', { text: 'x', reason: 'y' })
const waiting = fact('round.waiting', { for: 'approval', callIds: ['c'], until: null })
const resumed = fact('round.resumed', { n: 0, turn: 1, reason: 'decided' })
const ended = fact('round.ended', { finishReason: 'complete', usage: NO_USAGE, cost: 0 })
const started = fact('round.started', {
  requestId: 'r',
  actor: { id: 'ada', tenant: 'local' },
  permissions: [],
  protocol: 'unified',
  mode: 'act',
  model: 'm',
  limits: {} as EventData['round.started']['limits'],
  toolResultsAs: 'system',
  attended: true,
})

/** A log whose first page ends where the round came to rest for the first time. */
async function restsAtTheEndOfAPage() {
  const log = await eventLog()
  await log.append(
    started,
    ...Array.from({ length: PAGE - 2 }, () => ({ ...notice, id: crypto.randomUUID() })),
    waiting,
  )
  const hub = createHub(log.store)
  const where = { sessionId: log.sessionId, workspaceId: 'p', outputs: false, dialect: 'native' } as const
  return {
    ...log,
    async told(): Promise<string[]> {
      const seen: string[] = []
      const batches = followEncoded(log.store, hub, { ...where, requestId: 'r', endsAtRest: true })
      for await (const batch of batches) seen.push(...batch.map(({ event }) => event))
      return seen.slice(PAGE - 1)
    },
  }
}

test('ends where the round rests', async () => {
  const { told } = await restsAtTheEndOfAPage()
  expect(await told()).toEqual(['round.waiting'])
})

test('goes on where the round rested before, and ends with it', async () => {
  const { told, append } = await restsAtTheEndOfAPage()
  await append(resumed, ended)
  expect(await told()).toEqual(['round.waiting', 'round.resumed', 'round.ended'])
})

test('goes on where the round rested before, and ends where it rests now', async () => {
  const { told, append } = await restsAtTheEndOfAPage()
  await append(resumed, { ...notice, id: crypto.randomUUID() }, { ...waiting, id: crypto.randomUUID() })
  expect(await told()).toEqual(['round.waiting', 'round.resumed', 'notice', 'round.waiting'])
})
