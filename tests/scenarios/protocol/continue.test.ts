import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { PROTOCOLS } from '../../../src/contract/outcome.ts'
import { probe } from '../../support/probe-tool.ts'
import {
  said,
  segnoUnderTest,
  type Opening,
  type ScriptedTurn,
  type SegnoUnderTest,
} from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'

const mailTo = (to: string): ScriptedTurn => ({ text: `Writing to ${to}.`, calls: [{ name: 'mail', args: { to } }] })
const sending = ['ann', 'bob', 'cid', 'dan'].map(mailTo)

/** A model that writes to four people, in rounds that may write to two; continued, it begins from the first again. */
async function stage(opening: Opening = {}) {
  const mail = probe('mail', { effect: 'unsafe' })
  const it = await segnoUnderTest({
    tools: [mail],
    turns: [...sending, { text: 'All done.' }],
    limits: { MAX_TOOL_CALLS: 2, MAX_CYCLES: 2, MAX_ITERATIONS: 9, MAX_FRUITLESS: 9 },
    ...opening,
  })
  const written = (): unknown[] => mail.runs.map(({ args }) => args['to'])
  return { it, mail, written }
}

/** Continues a round and waits for the end of the new one. */
async function goOn({ segno, sessionId }: SegnoUnderTest, requestId: string) {
  const next = await segno.rounds.continue(LOCAL_OWNER, requestId)
  const completion = await segno.completion(sessionId, next.requestId)
  const events = await segno.rounds.events(LOCAL_OWNER, next.requestId)
  return { ...completion, events, codes: codesOf(events) }
}

const codesOf = (events: readonly StoredEvent[]): string[] =>
  said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)

const continuing = (it: SegnoUnderTest, requestId: string) => it.segno.rounds.continue(LOCAL_OWNER, requestId)

for (const protocol of PROTOCOLS) {
  verifies(['GOV-7', 'PHA-5'], `${protocol}: goes on in a new round, counts anew and does nothing twice`, async () => {
    const { it, written } = await stage()
    const first = await it.ask('Write to all.', { protocol })
    expect([first.finishReason, written()]).toEqual(['tool_limit', ['ann', 'bob']])
    const second = await goOn(it, first.requestId)
    expect(second.codes).toEqual(['DUPLICATE', 'DUPLICATE', 'ok', 'ok'])
    expect([second.finishReason, written()]).toEqual(['tool_limit', ['ann', 'bob', 'cid', 'dan']])
    expect(said(second.events, 'round.started')).toMatchObject([{ continues: first.requestId, protocol }])
  })

  verifies('GOV-7', `${protocol}: what the first of several rounds did is not done again in the last`, async () => {
    const { it, written } = await stage({
      limits: { MAX_TOOL_CALLS: 1, MAX_CYCLES: 1, MAX_FRUITLESS: 9, MAX_ITERATIONS: 9 },
    })
    const first = await it.ask('Write to all.', { protocol })
    const second = await goOn(it, first.requestId)
    const third = await goOn(it, second.requestId)
    expect(third.codes).toEqual(['DUPLICATE', 'DUPLICATE', 'ok'])
    expect(written()).toEqual(['ann', 'bob', 'cid'])
  })

  verifies(['GOV-7', 'LIN-7'], `${protocol}: after a restart, nothing is done twice either`, async () => {
    const { it, written } = await stage({
      limits: { MAX_TOOL_CALLS: 2, MAX_CYCLES: 2, MAX_ITERATIONS: 9, MAX_FRUITLESS: 9, SNAPSHOT_EVENTS: 1 },
    })
    const first = await it.ask('Write to all.', { protocol })
    await it.reopen()
    const second = await goOn(it, first.requestId)
    expect(second.codes).toEqual(['DUPLICATE', 'DUPLICATE', 'ok', 'ok'])
    expect(written()).toEqual(['ann', 'bob', 'cid', 'dan'])
  })

  verifies(['GOV-7', 'GOV-8'], `${protocol}: what was denied is not asked again`, async () => {
    const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
    const { it } = await stage({
      tools: [mail],
      limits: { MAX_ITERATIONS: 1, MAX_FRUITLESS: 1, MAX_TOOL_CALLS: 2, MAX_CYCLES: 2 },
    })
    const { round, approvals } = await it.askUntilWaiting('Write to all.', { protocol })
    await it.decide(approvals[0], 'deny')
    const first = await round.completion
    expect(first.finishReason).toBe('iteration_limit')
    expect((await goOn(it, first.requestId)).codes).toEqual(['DUPLICATE'])
    expect(await it.pending()).toEqual([])
  })

  verifies('GOV-7', `${protocol}: the model is told that it may go on, in words that are not the user's`, async () => {
    const { it } = await stage()
    const { requestId } = await it.ask('Write to all.', { protocol })
    const before = it.requests.length
    await goOn(it, requestId)
    const last = it.requests[before]?.prompt.findLast(({ role }) => role === 'user')
    expect(JSON.stringify(last)).toContain('[From Segno, not from the user: The user wants you to go on')
    const shown = await it.segno.sessions.messages(LOCAL_OWNER, it.sessionId)
    expect(shown.findLast(({ content: [part] }) => part?.type === 'text' && part.text === 'Continued')).toBeDefined()
    expect(JSON.stringify(shown)).not.toContain('wants you to go on')
  })
}

verifies('GOV-7', 'a pure call may be made again in a unified round that goes on', async () => {
  const look = probe('look')
  const it = await segnoUnderTest({
    tools: [look],
    turns: [{ calls: [{ name: 'look' }] }, { text: 'Seen.' }],
    limits: { MAX_ITERATIONS: 1 },
  })
  const { requestId } = await it.ask('Look.')
  expect((await goOn(it, requestId)).codes).toEqual(['ok'])
})

verifies('GOV-7', 'a round that goes on is like the one before: its mode, limits and tools', async () => {
  const { it } = await stage({ tools: [probe('look'), probe('mail')] })
  const options = { mode: 'plan', enableTools: ['mail'], limits: { maxToolCalls: 1 }, protocol: 'triggered' } as const
  const { requestId } = await it.ask('Write to all.', options)
  const { events } = await goOn(it, requestId)
  expect(said(events, 'round.started')).toMatchObject([
    { mode: 'plan', enableTools: ['mail'], limits: { maxToolCalls: 1, maxCycles: 2 }, protocol: 'triggered' },
  ])
})

verifies('GOV-7', 'asked for twice, at once and later, it is one round', async () => {
  const { it, written } = await stage()
  const { requestId } = await it.ask('Write to all.')
  const both = await Promise.all([continuing(it, requestId), continuing(it, requestId)])
  await it.segno.completion(it.sessionId, both[0].requestId)
  expect(written()).toEqual(['ann', 'bob', 'cid', 'dan'])
  await it.ask('Anything else?')
  const late = await continuing(it, requestId)
  expect(new Set([...both, late].map((one) => one.requestId)).size).toBe(1)
  expect(said(await it.events(), 'round.started')).toHaveLength(3)
})

verifies('GOV-7', 'a round that was answered cannot be continued', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Done.' }] })
  const { requestId } = await it.ask()
  expect(await problemOf(continuing(it, requestId))).toMatchObject({
    code: 'CONFLICT',
    message:
      'The round ended with complete; only one that used up its turns or calls can be continued. Send a message instead.',
  })
})

verifies('GOV-7', 'a round that has not ended cannot be continued', async () => {
  const { it } = await stage({ tools: [probe('mail', { effect: 'unsafe', approval: 'ask' })] })
  const { round } = await it.askUntilWaiting('Write to all.')
  const { code, message } = await problemOf(continuing(it, round.requestId))
  expect([code, message]).toEqual(['CONFLICT', 'The round is waiting; only one that has ended can be continued.'])
})

const later: Record<string, (it: SegnoUnderTest) => Promise<unknown>> = {
  'another message': (it) => it.ask('Something else.'),
  'another message that still waits for a person': (it) => it.askUntilWaiting('Ask first.'),
  'a clear': (it) => it.segno.sessions.clear(LOCAL_OWNER, it.sessionId),
}
for (const [what, come] of Object.entries(later))
  verifies('GOV-7', `a round cannot be continued after ${what}`, async () => {
    const { it } = await stage({
      tools: [probe('mail', { effect: 'unsafe' }), probe('ask', { effect: 'unsafe', approval: 'ask' })],
      script: {
        scenarios: [
          { when: '^Write', turns: sending },
          { when: '^Ask', turns: [{ calls: [{ name: 'ask' }] }] },
        ],
      },
    })
    const { requestId } = await it.ask('Write to all.')
    await come(it)
    const { code, message } = await problemOf(continuing(it, requestId))
    expect([code, message]).toEqual([
      'CONFLICT',
      'Something came after this round, so it cannot be continued. Send a message instead.',
    ])
  })

verifies('GOV-7', 'a message that was cancelled while it waited does not come between', async () => {
  const { it } = await stage({
    tools: [probe('mail', { effect: 'unsafe', approval: 'ask' })],
    limits: { MAX_ITERATIONS: 1 },
  })
  const { round, approvals } = await it.askUntilWaiting('Write to all.')
  const queued = await it.send('And then?')
  await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, queued.requestId)
  await queued.completion
  await it.decide(approvals[0], 'deny')
  const { requestId } = await round.completion
  expect((await goOn(it, requestId)).codes).toEqual(['DUPLICATE'])
})

verifies(['GOV-7', 'GOV-10'], 'a budget that is used up is used up for a round that goes on too', async () => {
  const { it, written } = await stage({
    turns: sending.map((turn) => ({ ...turn, usage: { input: 400, output: 100 } })),
    entry: (model) => ({ ...model, maxOutput: 100 }),
  })
  const { requestId } = await it.ask('Write to all.')
  await it.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyTokens: 1500 })
  expect((await goOn(it, requestId)).finishReason).toBe('budget')
  expect(written()).toEqual(['ann', 'bob'])
})

verifies('LIN-6', 'a fork does not continue a round of the conversation it came from', async () => {
  const { it } = await stage()
  const { requestId } = await it.ask('Write to all.')
  const fork = await it.segno.sessions.fork(LOCAL_OWNER, it.sessionId, (await it.events()).length)
  const next = await continuing(it, requestId)
  expect([next.sessionId, next.sessionId === fork.id]).toEqual([it.sessionId, false])
})

/** A continuation that waits until `hold` lets go of the only slot. */
async function waitingOne(held: string) {
  const hold = gateTool()
  const { it } = await stage({
    tools: [hold, probe('mail', { effect: 'unsafe' })],
    script: {
      scenarios: [
        { when: '^Write', turns: sending },
        { when: held, turns: [{ calls: [{ name: 'hold' }] }] },
      ],
    },
    limits: { MAX_TOOL_CALLS: 2, MAX_ITERATIONS: 9, MAX_ROUNDS: 1 },
  })
  const { requestId } = await it.ask('Write to all.')
  await it.send('Hold.', { sessionId: (await it.segno.createSession()).id })
  await hold.entered
  return { it, hold, requestId, waiting: await continuing(it, requestId) }
}

verifies('GOV-7', 'a continuation that was cancelled while it waited can be asked for again', async () => {
  const { it, hold, requestId, waiting } = await waitingOne('')
  expect(waiting.state).toBe('queued')
  await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, waiting.requestId)
  await it.segno.completion(it.sessionId, waiting.requestId)
  hold.open()
  const second = await goOn(it, requestId)
  expect([second.requestId === waiting.requestId, second.codes]).toEqual([
    false,
    ['DUPLICATE', 'DUPLICATE', 'ok', 'ok'],
  ])
  expect((await continuing(it, requestId)).requestId).toBe(second.requestId)
})

verifies(
  ['GOV-7', 'COO-4'],
  'a continuation that an interrupting message overtakes does not come after it',
  async () => {
    const { it, hold, waiting } = await waitingOne('^Hold')
    const urgent = await it.send('Something else.', { onBusy: 'interrupt' })
    hold.open()
    expect(await urgent.completion).toMatchObject({ finishReason: 'complete' })
    expect(await it.segno.completion(it.sessionId, waiting.requestId)).toMatchObject({ finishReason: 'cancelled' })
    expect(said(await it.events(), 'round.started').map(({ continues }) => continues)).toEqual([undefined, undefined])
  },
)
