import { describe, expect } from 'vitest'
import { said, segnoUnderTest, type Opening, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { CUT_MARK, conversations, FILLER, lastWords, ownQuestions, talk, wordsIn } from './support/talk.ts'

const tooLong: ScriptedTurn = { fault: { kind: 'error', status: 400, code: 'context_length_exceeded' } }

/** The provider refuses the first `times` requests of a round that begins with "Now". */
const refusing = (times: number, summary: ScriptedTurn = { text: 'They talked about foxes.' }): Opening => ({
  script: {
    scenarios: [
      { when: '', purpose: 'summary', turns: [summary] },
      { when: '^Now', turns: [...Array.from({ length: times }, () => tooLong), { text: 'Here you are.' }] },
    ],
    otherwise: { text: `Noted. ${FILLER}` },
  },
  limits: { BREAKER_FAILURES: 0 },
})

for (const protocol of ['unified', 'triggered'] as const)
  describe(`${protocol}: a provider that says the prompt is too long`, () => {
    verifies('LIN-7', 'gets a summary and one more try', async () => {
      const it = await segnoUnderTest(refusing(1))
      await talk(it, 6)
      const { events, finishReason, content } = await it.ask('Now, please.', { protocol })
      expect([finishReason, content]).toEqual(['complete', 'Here you are.'])
      expect(said(events, 'model.asked')).toMatchObject([
        { purpose: 'summary', because: 'the model said that the prompt is too long' },
      ])
      expect(said(events, 'turn.retried')).toMatchObject([
        { attempt: 1, waitMs: 0, shown: false, reason: expect.stringContaining('it is made shorter') as string },
      ])
      const [before, after] = conversations(it).slice(-2).map(wordsIn)
      expect(after?.length).toBeLessThan((before ?? '').length)
      expect(after).toContain('They talked about foxes.')
      expect(after).toContain('Now, please.')
      await it.ask('And then?')
      expect(lastWords(it), 'from then on').toContain('They talked about foxes.')
    })

    verifies('LIN-7', 'gets the cut where no summary can be made', async () => {
      const it = await segnoUnderTest(refusing(1, { fault: { kind: 'error', status: 500 } }))
      await talk(it, 6)
      const { events, finishReason } = await it.ask('Now, please.', { protocol })
      expect(finishReason).toBe('complete')
      expect(said(events, 'compact.summary')).toEqual([])
      expect(said(events, 'turn.retried')).toHaveLength(1)
      expect(lastWords(it)).toContain(CUT_MARK)
      expect(lastWords(it)).toContain('Now, please.')
    })

    verifies('LIN-7', 'gets the cut where the summary was made in this round already', async () => {
      const it = await segnoUnderTest({
        ...refusing(1),
        entry: (model) => ({ ...model, window: 8000, maxOutput: 1000 }),
      })
      await talk(it, 16)
      const asked = ownQuestions(it).length
      await talk(it, 5, 17)
      expect(ownQuestions(it)).toHaveLength(asked)
      const { events, finishReason } = await it.ask(`Now, please. ${FILLER.repeat(4)}`, { protocol })
      expect(finishReason).toBe('complete')
      expect(said(events, 'model.asked')).toHaveLength(1)
      expect(said(events, 'turn.retried')).toHaveLength(1)
    })

    verifies('LIN-7', 'twice ends the round with an error that says what is wrong', async () => {
      const it = await segnoUnderTest(refusing(2))
      await talk(it, 6)
      const { events, finishReason, content } = await it.ask('Now, please.', { protocol })
      expect(finishReason).toBe('error')
      expect(content).toMatch(/The model call failed: .*(?:too long|longer than|more than)/)
      expect(said(events, 'turn.retried')).toHaveLength(1)
      expect(said(events, 'model.asked')).toHaveLength(1)
      expect((await it.ask('And then?')).finishReason).toBe('complete')
    })

    verifies(
      'LIN-7',
      'of a first message ends the round with that error, for there is nothing to leave out',
      async () => {
        const it = await segnoUnderTest(refusing(2))
        const { events, finishReason } = await it.ask('Now, please.', { protocol })
        expect(finishReason).toBe('error')
        expect(said(events, 'turn.retried')).toEqual([])
        expect(ownQuestions(it)).toEqual([])
      },
    )
  })
