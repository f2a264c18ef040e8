import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { textOf } from '../../../src/contract/message.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const CONTENTS = ['one', 'two', 'three', 'four', 'five']

verifies(['COO-4', 'REL-3'], 'a session answers one message at a time, in the order they came', async () => {
  let inside = 0
  const look = probe('look', {
    async run() {
      expect(++inside).toBe(1)
      await setTimeout(5)
      inside -= 1
      return 'seen'
    },
  })
  const u = await segnoUnderTest({ tools: [look], turns: [{ calls: [{ name: 'look' }] }, { text: 'ok' }] })
  const rounds = await Promise.all(CONTENTS.map((content) => u.send(content)))
  await Promise.all(rounds.map(({ completion }) => completion))
  expect(rounds.map(({ state }) => state)).toEqual(['running', 'queued', 'queued', 'queued', 'queued'])
  expect(said(await u.events(), 'message.user').map(({ content }) => textOf(content))).toEqual(CONTENTS)
})

verifies(['COO-4', 'LIN-1'], 'rounds of a session never lie inside each other', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'ok' }] })
  const rounds = await Promise.all(CONTENTS.map((content) => u.send(content)))
  await Promise.all(rounds.map(({ completion }) => completion))
  let open: string | null = null
  for (const event of await u.events()) {
    if (event.type === 'round.started') {
      expect(open).toBe(null)
      open = event.requestId
    }
    if (event.requestId !== null) expect(event.requestId).toBe(open)
    if (event.type === 'round.ended') open = null
  }
  expect(open).toBe(null)
})

verifies('COO-4', 'two sessions answer at the same time', async () => {
  const both = Promise.withResolvers<void>()
  const meet = probe('meet', {
    run() {
      if (meet.runs.length === 2) both.resolve()
      return both.promise.then(() => 'met')
    },
  })
  const u = await segnoUnderTest({ tools: [meet], turns: [{ calls: [{ name: 'meet' }] }, { text: 'ok' }] })
  const other = await u.segno.createSession()
  const answers = await Promise.all([u.ask(), u.ask('Go.', { sessionId: other.id })])
  expect(answers.map(({ finishReason }) => finishReason)).toEqual(['complete', 'complete'])
})
