import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { JsonObject } from '../../../src/contract/message.ts'
import type { Answer, JsonSchema, Question, Tool, ToolContext } from '../../../src/contract/tool.ts'
import { probe, text, type Probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const PROTOCOLS = ['unified', 'triggered'] as const
const COLOUR: JsonSchema = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'blue'] }, coats: { type: 'integer' } },
  required: ['colour'],
  additionalProperties: false,
}
const WHICH: Question = { message: 'Which colour?', schema: COLOUR }

/** A tool that asks while it runs and returns the answers it got. */
function painter(questions: readonly Question[] = [WHICH], more: Partial<Tool> = {}): Probe {
  return probe('paint', {
    effect: 'unsafe',
    async run(_, ctx) {
      const answers: Answer[] = []
      for (const question of questions) answers.push(await ctx.ask(question))
      return JSON.stringify(answers)
    },
    ...more,
  })
}

const turns = [{ calls: [{ name: 'paint', args: { what: 'door' } }] }, { text: 'Painted.' }]

async function painting(tool = painter(), more: Opening = {}) {
  const segno = await segnoUnderTest({ tools: [tool], turns, ...more })
  return Object.assign(segno, { tool })
}

/** Sends a message and waits until its call asks. */
async function untilAsked(segno: SegnoUnderTest, options: object = {}) {
  const before = said(await segno.events(), 'approval.requested').length
  const round = await segno.send('Go.', options)
  await segno.until('approval.requested', before + 1)
  const [question] = await segno.pending()
  return { round, question }
}

const resultsOf = async (segno: SegnoUnderTest) => said(await segno.events(), 'tool.result')
const answersOf = async (segno: SegnoUnderTest): Promise<Answer[]> =>
  (await resultsOf(segno)).flatMap(({ content }) => JSON.parse(content) as Answer[])
const statuses = async (segno: SegnoUnderTest) =>
  (await segno.segno.rounds.approvals(LOCAL_OWNER)).map(({ status }) => status)

for (const protocol of PROTOCOLS) {
  verifies('ORC-8', `${protocol}: a running call asks a person and goes on with the answer`, async () => {
    const segno = await painting()
    const { round, question } = await untilAsked(segno, { protocol })
    expect(question).toMatchObject({
      tool: 'paint',
      isQuestion: true,
      rememberable: false,
      args: { message: 'Which colour?', schema: COLOUR },
      target: 'Which colour?',
    })
    await segno.decide(question, 'approve', { content: { colour: 'red' } })
    expect(await round.completion).toMatchObject({ finishReason: 'complete', content: 'Painted.' })
    expect(await answersOf(segno)).toEqual([{ action: 'accept', content: { colour: 'red' } }])
    expect(segno.tool.runs).toHaveLength(1)
    expect(await statuses(segno)).toEqual(['approved'])
  })

  verifies(
    'ORC-8',
    `${protocol}: a question that is declined tells the call so, and the call decides what that means`,
    async () => {
      const segno = await painting()
      const { round, question } = await untilAsked(segno, { protocol })
      await segno.decide(question, 'deny', { reason: 'none of your business' })
      await round.completion
      expect(await answersOf(segno)).toEqual([{ action: 'decline' }])
      expect(await resultsOf(segno)).toMatchObject([{ outcome: 'ok' }])
      expect(await statuses(segno)).toEqual(['denied'])
    },
  )

  verifies(
    'ORC-8',
    `${protocol}: a question nobody answers in time is over, and the call hears that nobody was there`,
    async () => {
      const segno = await painting(painter(), { limits: { QUESTION_MS: 50 } })
      const { round, question } = await untilAsked(segno, { protocol })
      await round.completion
      expect(await answersOf(segno)).toEqual([{ action: 'cancel' }])
      expect(await statuses(segno)).toEqual(['expired'])
      const late = segno.decide(question, 'approve', { content: { colour: 'red' } })
      await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
    },
  )

  verifies('ORC-8', `${protocol}: who stops the round stops its question`, async () => {
    const segno = await painting()
    const { round, question } = await untilAsked(segno, { protocol })
    await round.cancel()
    expect(await round.completion).toMatchObject({ finishReason: 'cancelled' })
    expect(await segno.pending()).toEqual([])
    const late = segno.decide(question, 'approve', { content: { colour: 'red' } })
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await resultsOf(segno)).toMatchObject([{ outcome: 'cancelled', effect: 'unknown' }])
  })

  verifies('ORC-8', `${protocol}: where nobody is there a question is answered so at once`, async () => {
    const segno = await painting()
    await segno.ask('Go.', { protocol, attended: false })
    expect(await answersOf(segno)).toEqual([{ action: 'cancel' }])
    expect(said(await segno.events(), 'approval.requested')).toEqual([])
  })
}

const MISFITS: readonly (JsonObject | undefined)[] = [
  undefined,
  {},
  { colour: 'green' },
  { colour: ['red'] },
  { colour: 'red', coats: 'two' },
  { colour: 'red', also: 'this' },
]
for (const content of MISFITS) {
  verifies(
    'ORC-8',
    `an answer of ${JSON.stringify(content)} is not what was asked for: it is refused, the question stays`,
    async () => {
      const segno = await painting()
      const { question } = await untilAsked(segno)
      const answered = segno.decide(question, 'approve', content === undefined ? {} : { content })
      await expect(answered).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'content' })
      expect(await segno.pending()).toEqual([question])
      expect(await resultsOf(segno)).toEqual([])
    },
  )
}

verifies('ORC-8', 'a no has no content, and neither has the answer to an ordinary approval', async () => {
  const segno = await painting(painter([WHICH], { approval: 'ask' }))
  const { round, approvals } = await segno.askUntilWaiting()
  const first = segno.decide(approvals[0], 'approve', { content: { colour: 'red' } })
  await expect(first).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'content' })
  await segno.decide(approvals[0], 'approve')
  await segno.until('approval.requested', 2)
  const [question] = await segno.pending()
  const no = segno.decide(question, 'deny', { content: { colour: 'red' } })
  await expect(no).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'content' })
  await segno.decide(question, 'approve', { content: { colour: 'blue' } })
  await round.completion
  expect(await answersOf(segno)).toEqual([{ action: 'accept', content: { colour: 'blue' } }])
})

verifies('ORC-8', 'a question without a schema is yes or no', async () => {
  const segno = await painting(painter([{ message: 'Really?' }]))
  const { round, question } = await untilAsked(segno)
  expect(question?.args).toEqual({ message: 'Really?' })
  await segno.decide(question, 'approve')
  await round.completion
  expect(await answersOf(segno)).toEqual([{ action: 'accept', content: {} }])
})

verifies('ORC-8', 'the answer to one question is no answer to the next', async () => {
  const segno = await painting(painter([WHICH, WHICH]))
  const { round, question } = await untilAsked(segno)
  await segno.decide(question, 'approve', { content: { colour: 'red' } })
  await segno.until('approval.requested', 2)
  const [second] = await segno.pending()
  expect(second?.id).not.toBe(question?.id)
  await expect(segno.decide(question, 'deny')).rejects.toMatchObject({ code: 'CONFLICT' })
  await segno.decide(second, 'deny')
  await round.completion
  expect(await answersOf(segno)).toEqual([{ action: 'accept', content: { colour: 'red' } }, { action: 'decline' }])
})

verifies('ORC-8', 'questions a call asks at once are put one after the other, each with its own answer', async () => {
  const ask = async (_: JsonObject, ctx: ToolContext) =>
    JSON.stringify(await Promise.all(['a', 'b', 'c'].map((message) => ctx.ask({ message }))))
  const segno = await painting(painter([], { run: ask }))
  const { round } = await untilAsked(segno)
  for (const [n, decision] of (['approve', 'deny', 'approve'] as const).entries()) {
    await segno.until('approval.requested', n + 1)
    const [one, ...more] = await segno.pending()
    expect(more).toEqual([])
    await segno.decide(one, decision)
    await segno.until('approval.decided', n + 1)
  }
  await round.completion
  expect((await answersOf(segno)).map(({ action }) => action)).toEqual(['accept', 'decline', 'accept'])
})

verifies('ORC-8', 'two calls that read at the same time each get the answer to their own question', async () => {
  const tool = painter([], {
    effect: 'pure',
    run: async ({ what }, ctx) => JSON.stringify([await ctx.ask({ message: text(what) })]),
  })
  const calls = ['door', 'wall'].map((what) => ({ name: 'paint', args: { what } }))
  const segno = await painting(tool, { turns: [{ calls }, { text: 'Painted.' }] })
  const { round } = await untilAsked(segno)
  for (const n of [1, 2]) {
    await segno.until('approval.requested', n)
    const [one] = await segno.pending()
    await segno.decide(one, one?.target === 'door' ? 'approve' : 'deny')
    await segno.until('approval.decided', n)
  }
  await round.completion
  expect((await answersOf(segno)).map(({ action }) => action)).toEqual(['accept', 'decline'])
})

verifies('ORC-8', 'the time of a call stands still while a person thinks, and goes on afterwards', async () => {
  const TOOL_MS = 600
  const limits = { TOOL_MS }
  const segno = await painting(painter(), { limits })
  const { round, question } = await untilAsked(segno)
  await sleep(TOOL_MS * 2)
  await segno.decide(question, 'approve', { content: { colour: 'red' } })
  await round.completion
  expect(await resultsOf(segno)).toMatchObject([{ outcome: 'ok' }])

  const dawdles = painter([], {
    async run(_, ctx) {
      await ctx.ask({ message: 'Really?' })
      await sleep(60_000, undefined, { signal: ctx.signal })
    },
  })
  const slow = await painting(dawdles, { limits })
  const asked = await untilAsked(slow)
  await slow.decide(asked.question, 'approve')
  await asked.round.completion
  expect(await resultsOf(slow)).toMatchObject([{ outcome: 'timeout', effect: 'unknown' }])
})

const CLASSES = {
  unsafe: { results: ['unknown'], runs: 1 },
  keyed: { results: ['ok'], runs: 2 },
  pure: { results: ['ok'], runs: 2 },
} as const
for (const effect of ['unsafe', 'keyed', 'pure'] as const) {
  const { results, runs } = CLASSES[effect]
  verifies(
    ['ORC-8', 'REL-2'],
    `a question open when Segno stops is void; its ${effect} call ends as its class says`,
    async () => {
      const segno = await painting(painter([WHICH], { effect }))
      const { round, question } = await untilAsked(segno)
      await segno.reopen()
      await segno.until('round.resumed')
      if (runs === 2) {
        await segno.until('approval.requested', 2)
        const [again] = await segno.pending()
        expect(again?.id).not.toBe(question?.id)
        await segno.decide(again, 'approve', { content: { colour: 'blue' } })
      }
      const late = segno.decide(question, 'approve', { content: { colour: 'red' } })
      await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
      await segno.segno.completion(segno.sessionId, round.requestId)
      expect((await resultsOf(segno)).map(({ outcome }) => outcome)).toEqual(results)
      expect((await statuses(segno))[0]).toBe('stale')
      expect(segno.tool.runs).toHaveLength(runs)
      expect(new Set(segno.tool.runs.map(({ ctx }) => ctx.idempotencyKey)).size).toBe(1)
    },
  )
}

verifies(
  'ORC-8',
  'a question is not answered for the rest of the session, and neither is what its call began with',
  async () => {
    const segno = await painting(painter([WHICH], { approval: 'ask' }))
    const { round, approvals } = await segno.askUntilWaiting()
    await segno.decide(approvals[0], 'approve')
    await segno.until('approval.requested', 2)
    const [question] = await segno.pending()
    await segno.decide(question, 'approve', { content: { colour: 'red' }, remember: 'session' })
    await round.completion
    const { events } = await segno.ask('Again.', { attended: false })
    expect(said(events, 'tool.result')).toMatchObject([{ code: 'UNATTENDED' }])
  },
)

const UNREADABLE: Readonly<Record<string, object>> = {
  'a type nobody knows': { type: 'object', properties: { a: { type: 'nonsense' } } },
  'a pattern that is none': { type: 'object', properties: { a: { type: 'string', pattern: '(' } } },
  'a part that is elsewhere': { type: 'object', properties: { a: { $ref: 'https://evil.example/x' } } },
  'no type': { properties: { a: { type: 'string' } } },
}
for (const [what, schema] of Object.entries(UNREADABLE)) {
  verifies('ORC-8', `a question whose schema has ${what} takes no answer but no`, async () => {
    const segno = await painting(painter([{ message: 'Well?', schema: schema as JsonSchema }]))
    const { round, question } = await untilAsked(segno)
    const answered = segno.decide(question, 'approve', { content: { a: 'x' } })
    await expect(answered).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'content' })
    await segno.decide(question, 'deny')
    await round.completion
    expect(await answersOf(segno)).toEqual([{ action: 'decline' }])
  })
}

/** Such as a server that asks and answers without waiting for what it asked. */
const forgetful = (ms: number) =>
  painter([], {
    async run(_, ctx) {
      void ctx.ask({ message: 'Anybody?' }).catch(() => {})
      if (ms > 0) await sleep(ms)
      return 'done'
    },
  })

verifies('ORC-8', 'a call that does not wait for its answer ends as it ended', async () => {
  const segno = await painting(forgetful(0))
  await segno.ask()
  expect(await resultsOf(segno)).toMatchObject([{ outcome: 'ok', effect: 'done' }])
  expect(said(await segno.events(), 'round.resumed')).toEqual([])
})

verifies('ORC-8', 'a call that does not wait for its answer leaves no question behind', async () => {
  const segno = await painting(forgetful(50))
  await segno.ask()
  expect(await segno.pending()).toEqual([])
})

verifies('ORC-8', 'a call that is over asks nobody', async () => {
  const late = Promise.withResolvers<Answer>()
  const mumbles = painter([], {
    run(_, ctx) {
      void later()
        .then(() => ctx.ask({ message: 'Anybody?' }))
        .then(late.resolve, late.reject)
      return 'done'
    },
  })
  const ended = Promise.withResolvers<void>()
  const later = () => ended.promise
  const segno = await painting(mumbles)
  await segno.ask()
  ended.resolve()
  await late.promise.catch(() => {})
  expect(said(await segno.events(), 'approval.requested')).toEqual([])
  expect(await segno.pending()).toEqual([])
})
