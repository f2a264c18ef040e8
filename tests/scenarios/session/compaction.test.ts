import { describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { CUT_MARK, conversations, FILLER, lastWords, ownQuestions, talk, wordsIn } from './support/talk.ts'

const FACT = 'The code of the safe is 7315.'
const small: Opening = {
  script: { otherwise: { text: `Noted. ${FILLER}` } },
  entry: (model) => ({ ...model, window: 8000, maxOutput: 1000 }),
}
/** What is answered when Segno asks for a summary. */
const summarised = (turn: ScriptedTurn): NonNullable<Opening['script']> => ({
  scenarios: [{ when: '', purpose: 'summary', turns: [turn] }],
  otherwise: { text: `Noted. ${FILLER}` },
})

describe('a conversation that gets long', () => {
  verifies('LIN-7', 'is summarised in whole exchanges, and the log keeps the originals', async () => {
    const it = await segnoUnderTest(small)
    await it.ask(FACT)
    expect(new Set(await talk(it, 30))).toEqual(new Set(['complete']))
    const events = await it.events()
    const summaries = events.filter((event) => event.type === 'compact.summary')
    expect(summaries.length).toBeGreaterThan(1)
    for (const { data, seq } of summaries) {
      expect(events[data.upTo]?.type, 'the first event that is kept').toBe('message.user')
      expect(data).toMatchObject({ model: 'scripted' })
      expect(data).not.toHaveProperty('by')
      expect(data.saved).toBeGreaterThan(0)
      expect(events[seq - 2]).toMatchObject({ type: 'model.answered', data: { purpose: 'summary' } })
    }
    expect(said(events, 'message.user')).toHaveLength(31)
    expect(await it.segno.sessions.messages(LOCAL_OWNER, it.sessionId, events[events.length - 1]?.seq)).not.toEqual([])
    expect(lastWords(it), 'the summary kept it').toContain(FACT)
    expect(conversations(it).some((request) => wordsIn(request).includes(CUT_MARK))).toBe(false)
  })

  verifies('LIN-7', 'loses nothing to a cut beside a summary that is as long as it may be', async () => {
    const long = `${FACT} ${'And so on, and so forth. '.repeat(200)}`
    const it = await segnoUnderTest({ ...small, script: summarised({ text: long }) })
    expect(new Set(await talk(it, 40))).toEqual(new Set(['complete']))
    expect(said(await it.events(), 'compact.summary').length).toBeGreaterThan(1)
    for (const request of conversations(it)) expect(wordsIn(request)).not.toContain(CUT_MARK)
    expect(lastWords(it)).toContain(FACT)
  })

  verifies('LIN-7', 'is summarised before anything is cut in languages whose words are many tokens too', async () => {
    const words = '我的气垫船装满了鳗鱼，龙年大吉大利。'.repeat(12)
    const it = await segnoUnderTest({ ...small, script: { otherwise: { text: words } } })
    for (let n = 0; n < 40; n += 1) expect((await it.ask(`${n} ${words}`)).finishReason).toBe('complete')
    expect(said(await it.events(), 'compact.summary').length).toBeGreaterThan(2)
    for (const request of conversations(it)) expect(wordsIn(request)).not.toContain(CUT_MARK)
  })

  verifies('LIN-7', 'is summarised by SEGNO_SUMMARY_MODEL, and by the round’s own if that cannot be used', async () => {
    const it = await segnoUnderTest({
      ...small,
      others: { brief: (model) => ({ ...model, modelId: 'brief' }) },
      env: { SEGNO_SUMMARY_MODEL: 'brief' },
    })
    await talk(it, 20)
    expect(said(await it.events(), 'model.asked')).toMatchObject([{ model: 'brief', purpose: 'summary' }])
    expect(said(await it.events(), 'compact.summary')).toMatchObject([{ model: 'brief' }])
    expect(new Set(said(await it.events(), 'turn.started').map(({ model }) => model))).toEqual(new Set(['scripted']))
    await it.reopen({ env: { SEGNO_SUMMARY_MODEL: 'nobody' } })
    await talk(it, 12, 21)
    expect(said(await it.events(), 'model.asked').at(-1)).toMatchObject({ model: 'scripted' })
  })

  verifies(['LIN-7', 'ORC-12'], 'is summarised between two turns without using up a turn of the script', async () => {
    const look = probe('look', { run: () => FILLER.repeat(9) })
    const it = await segnoUnderTest({
      ...small,
      tools: [look],
      script: {
        scenarios: [
          {
            when: '^Look',
            turns: [
              { text: 'First.', calls: [{ name: 'look', args: { n: 1 } }] },
              { text: 'Second.', calls: [{ name: 'look', args: { n: 2 } }] },
              { text: 'Third.' },
            ],
          },
        ],
        otherwise: { text: `Noted. ${FILLER}` },
      },
    })
    await talk(it, 7)
    expect(ownQuestions(it)).toEqual([])
    const { events, content } = await it.ask('Look around.')
    expect(content).toContain('Third.')
    expect(look.runs).toHaveLength(2)
    expect(said(events, 'model.asked')).toHaveLength(1)
    const types = events.map(({ type }) => type)
    expect(types.indexOf('model.asked')).toBeGreaterThan(types.indexOf('tool.result'))
    expect(wordsIn(ownQuestions(it)[0])).not.toContain('Look around.')
  })

  verifies('LIN-7', 'stays tainted by what the summary stands for', async () => {
    const read = probe('read', { run: () => 'Words of a stranger.' })
    const send = probe('send', { effect: 'unsafe', approval: 'auto', reach: ['outward'] })
    const it = await segnoUnderTest({
      ...small,
      tools: [read, send],
      script: {
        scenarios: [
          { when: '^Read', turns: [{ calls: [{ name: 'read' }] }, { text: 'Read.' }] },
          { when: '^Send', turns: [{ calls: [{ name: 'send' }] }, { text: 'Sent.' }] },
          { when: '', purpose: 'summary', turns: [{ text: 'Something was read.' }] },
        ],
        otherwise: { text: `Noted. ${FILLER}` },
      },
    })
    await it.ask('Read it.')
    await talk(it, 20)
    expect(said(await it.events(), 'compact.summary').length).toBeGreaterThan(0)
    expect(lastWords(it)).not.toContain('Words of a stranger')
    await it.reopen()
    const { round, approvals } = await it.askUntilWaiting('Send it.')
    expect(approvals).toMatchObject([{ tool: 'send' }])
    await it.decide(approvals[0], 'deny')
    await round.completion
    expect(send.runs).toEqual([])
  })

  verifies(['LIN-7', 'ORC-6'], 'is only cut and marked where summaries are off', async () => {
    const it = await segnoUnderTest({ ...small, limits: { COMPACT_PERCENT: 0 } })
    await it.ask(FACT)
    expect(new Set(await talk(it, 20))).toEqual(new Set(['complete']))
    expect(ownQuestions(it)).toEqual([])
    expect(lastWords(it)).toContain(CUT_MARK)
    expect(lastWords(it)).not.toContain(FACT)
  })
})

verifies(
  ['LIN-7', 'COO-5'],
  'a summary that takes too long is stopped with its round, by a person or by its time',
  async () => {
    const stalled = summarised({ text: 'Begun', fault: { kind: 'stall', afterDeltas: 1 } })
    const it = await segnoUnderTest({ ...small, script: stalled })
    await talk(it, 12)
    const due = `Message 13. ${FILLER.repeat(8)}`
    const round = await it.send(due)
    await it.until('model.asked')
    await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, round.requestId)
    expect(await round.completion).toMatchObject({ finishReason: 'cancelled' })
    const late = await it.ask(due, { limits: { totalMs: 300 } })
    expect(late.finishReason).toBe('timeout')
    const answers = said(await it.events(), 'model.answered')
    expect(answers.map(({ failed }) => failed)).toEqual(
      Array.from({ length: 2 }, () => 'The model call failed: stopped.'),
    )
    expect(said(await it.events(), 'compact.summary')).toEqual([])
  },
)

describe('a summary that', () => {
  const bad: [string, ScriptedTurn, string | RegExp][] = [
    ['is empty', {}, 'The model gave no answer.'],
    ['is blank', { text: ' \n ' }, 'The model gave no answer.'],
    ['is longer than what it would replace', { text: 'On and on. '.repeat(3000) }, 'The summary saves nothing.'],
    [
      'fails',
      { fault: { kind: 'error', status: 500 } },
      /^The model call failed: the provider answered 500(?: \(\w+\))?\./,
    ],
    [
      'breaks off',
      { text: 'So far', fault: { kind: 'cut', afterDeltas: 1 } },
      'The model call failed: the stream was cut.',
    ],
    ['is refused', { fault: { kind: 'error', status: 401 } }, /^The model call failed: /],
  ]
  for (const [what, turn, why] of bad)
    verifies('LIN-7', `${what} gives way to the marked cut, and the round goes on`, async () => {
      const it = await segnoUnderTest({ ...small, script: summarised(turn), limits: { BREAKER_FAILURES: 0 } })
      await it.ask(FACT)
      expect(new Set(await talk(it, 20))).toEqual(new Set(['complete']))
      const events = await it.events()
      expect(said(events, 'compact.summary')).toEqual([])
      const answers = said(events, 'model.answered')
      expect(answers.length).toBeGreaterThan(1)
      for (const { failed } of answers)
        expect(failed).toEqual(typeof why === 'string' ? why : expect.stringMatching(why))
      const rounds = events.filter(({ type }) => type === 'model.asked').map(({ requestId }) => requestId)
      expect(new Set(rounds).size, 'one each').toBe(rounds.length)
      expect(lastWords(it)).toContain(CUT_MARK)
      const [first] = events.filter((event) => event.type === 'model.answered')
      expect(JSON.stringify(first)).not.toContain('the safe')
    })

  verifies('LIN-7', 'is longer than SUMMARY_CHARS or half of what it replaces is cut to that', async () => {
    const it = await segnoUnderTest({
      ...small,
      script: summarised({ text: `${FACT} ${'word '.repeat(600)}` }),
      limits: { SUMMARY_CHARS: 300 },
    })
    await talk(it, 20)
    for (const { text } of said(await it.events(), 'compact.summary')) expect(text.length).toBeLessThanOrEqual(300)
    expect(lastWords(it)).toContain(FACT)
  })
})

verifies(['GOV-7', 'LIN-7'], 'a summary that keeps coming may take longer than a model may take to begin', async () => {
  const text = 'word '.repeat(60)
  const it = await segnoUnderTest({
    ...small,
    script: summarised({ text, deltaChars: 5, delayMs: 30 }),
    limits: { MODEL_CALL_MS: 1200, CONTENT_GAP_MS: 10_000 },
  })
  await talk(it, 4)
  await it.segno.sessions.compact(LOCAL_OWNER, it.sessionId)
  expect((await it.until('compact.summary')).data.text).toBe(text.trim())
})
