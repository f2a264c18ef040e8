import { describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { said, segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { CUT_MARK, FILLER, lastWords, ownQuestions, talk, wordsIn } from './support/talk.ts'

const SECRET = 'My number is 555-0199.'
const NEVER = 1_000_000

/** The summary keeps the beginning of everything. */
const opening = (SNAPSHOT_EVENTS: number): Opening => ({
  script: {
    scenarios: [{ when: '^(hello|my)', turns: [{ text: 'Yes.' }] }],
    otherwise: { text: `Noted. ${FILLER}` },
  },
  entry: (model) => ({ ...model, window: 8000, maxOutput: 1000 }),
  limits: { SNAPSHOT_EVENTS },
})

async function deleteMessage(it: SegnoUnderTest, words: string): Promise<void> {
  const event = (await it.events()).find(
    ({ type, data }) => type === 'message.user' && JSON.stringify(data).includes(words),
  )
  await it.segno.sessions.deleteMessage(LOCAL_OWNER, it.sessionId, event?.id ?? '')
}

const summaries = async (it: SegnoUnderTest) => said(await it.events(), 'compact.summary')

for (const [how, snapshots, restarts] of [
  ['', NEVER, false],
  [' with snapshots', 1, false],
  [' after a restart', NEVER, true],
  [' after a restart with snapshots', 1, true],
] as const)
  describe(`deleting a message that a summary was made from${how}`, () => {
    verifies('LIN-7', 'drops the summary, shows the others again and lets a new one be made', async () => {
      const it = await segnoUnderTest(opening(snapshots))
      await it.ask('Hello there.')
      await it.ask(SECRET)
      await talk(it, 16)
      expect(await summaries(it)).toHaveLength(1)
      expect(lastWords(it)).toContain(SECRET)
      if (restarts) await it.reopen()
      await deleteMessage(it, SECRET)
      if (restarts) await it.reopen()

      const questions = ownQuestions(it).length
      await it.ask('And now?')
      expect(lastWords(it)).not.toContain(SECRET)
      expect(lastWords(it), 'what the summary stood for').toContain('Hello there.')
      for (const question of ownQuestions(it).slice(questions)) expect(wordsIn(question)).not.toContain(SECRET)
      expect(lastWords(it)).not.toContain(CUT_MARK)
      await talk(it, 10, 20)
      expect((await summaries(it)).length).toBeGreaterThan(1)
      expect(lastWords(it)).toContain('Hello there.')
      expect(lastWords(it)).not.toContain(SECRET)
      for (const { text } of (await summaries(it)).slice(1)) expect(text).not.toContain(SECRET)
    })

    verifies('LIN-7', 'shows the originals where they fit', async () => {
      const it = await segnoUnderTest(opening(snapshots))
      await it.ask('Hello there.')
      await it.ask(SECRET)
      await talk(it, 4)
      await it.segno.sessions.compact(LOCAL_OWNER, it.sessionId)
      await it.until('compact.summary')
      await talk(it, 2, 5)
      expect(lastWords(it)).toContain('a summary of the conversation')
      if (restarts) await it.reopen()
      await deleteMessage(it, SECRET)
      if (restarts) await it.reopen()
      const questions = ownQuestions(it).length
      await it.ask('And now?')
      expect(ownQuestions(it)).toHaveLength(questions)
      for (const words of ['Hello there.', 'Message 1.', 'Message 6.']) expect(lastWords(it)).toContain(words)
      expect(lastWords(it)).not.toContain(SECRET)
      expect(lastWords(it)).not.toContain('a summary of the conversation')
      expect(lastWords(it)).not.toContain(CUT_MARK)
    })

    verifies('LIN-7', 'drops the later summaries too, and no earlier one', async () => {
      const it = await segnoUnderTest(opening(snapshots))
      await it.ask('Hello there.')
      await talk(it, 16)
      expect(await summaries(it)).toHaveLength(1)
      const [first] = await summaries(it)
      await it.ask(SECRET)
      await talk(it, 20, 20)
      expect((await summaries(it)).length).toBeGreaterThan(2)
      if (restarts) await it.reopen()
      await deleteMessage(it, SECRET)
      if (restarts) await it.reopen()
      await it.ask('And now?')
      const events = await it.events()
      const turn = events.findLast((event) => event.type === 'turn.started')
      const used = events.find(({ seq }) => turn?.type === 'turn.started' && seq === turn.data.sent?.summary)
      const before = events.filter((event) => event.type === 'compact.summary' && event.data.upTo === first?.upTo)
      const isNew = used && used.seq > (events.find(({ type }) => type === 'message.deleted')?.seq ?? 0)
      expect(isNew || used?.seq === before[0]?.seq, 'the first one holds, or a new one was made from it').toBe(true)
      expect(lastWords(it)).not.toContain(SECRET)
      expect(lastWords(it)).toContain('Hello there.')
    })

    verifies('LIN-7', 'and no other leaves the summary as it is', async () => {
      const it = await segnoUnderTest(opening(snapshots))
      await it.ask('Hello there.')
      await talk(it, 16)
      const asked = ownQuestions(it).length
      if (restarts) await it.reopen()
      await deleteMessage(it, 'Message 16.')
      if (restarts) await it.reopen()
      await it.ask('And now?')
      expect(restarts ? 0 : asked).toBe(ownQuestions(it).length)
      expect(lastWords(it)).toContain('a summary of the conversation')
      expect(lastWords(it)).not.toContain('Message 16.')
    })
  })

verifies('LIN-7', 'a message that is deleted while others wait is in no prompt of theirs', async () => {
  const it = await segnoUnderTest({
    ...opening(1),
    script: {
      scenarios: [{ when: '^Slowly', turns: [{ text: FILLER, deltaChars: 20, delayMs: 20 }] }],
      otherwise: { text: `Noted. ${FILLER}` },
    },
  })
  await it.ask('Hello there.')
  await it.ask(SECRET)
  await talk(it, 16)
  const slow = await it.send('Slowly now.')
  await it.until('turn.started', 19)
  await deleteMessage(it, SECRET)
  const next = await it.send('And now?')
  await Promise.all([slow.completion, next.completion])
  expect(lastWords(it)).not.toContain(SECRET)
  expect(lastWords(it)).toContain('Hello there.')
  expect(lastWords(it)).not.toContain(CUT_MARK)
})
