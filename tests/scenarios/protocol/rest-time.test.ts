import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const HOUR = 3_600_000

/** A clock that goes on only when a test says so; `jump` is what the wall clock alone does. */
function heldClock() {
  let now = 1_800_000_000_000
  let ticks = 0
  return {
    now: () => now,
    ticks: () => ticks,
    jump: (ms: number) => void (now += ms),
    pass(ms: number) {
      now += ms
      ticks += ms
    },
  }
}

const mail = { calls: [{ name: 'mail' }] }

verifies('GOV-7', 'waiting for a person does not use up the time of a round', async () => {
  const clock = heldClock()
  const segno = await segnoUnderTest({
    clock,
    tools: [probe('mail', { approval: 'ask' })],
    turns: [mail, { text: 'Sent.' }],
    limits: { TOTAL_MS: 5_000 },
  })
  const { round, approvals } = await segno.askUntilWaiting()
  clock.pass(HOUR)
  await segno.decide(approvals[0], 'approve')
  expect(await round.completion).toMatchObject({ finishReason: 'complete', content: 'Sent.' })
})

verifies('GOV-7', 'neither does the time in which Segno did not run', async () => {
  const clock = heldClock()
  const tool = probe('mail', {
    effect: 'keyed',
    run: (_, { signal }) =>
      tool.runs.length > 1
        ? 'sent'
        : new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
  })
  const segno = await segnoUnderTest({
    clock,
    tools: [tool],
    turns: [mail, { text: 'Sent.' }],
    limits: { TOTAL_MS: 60_000, DRAIN_MS: 0 },
  })
  const { requestId } = await segno.send()
  await segno.until('tool.started')
  const opening = segno.reopen()
  clock.pass(HOUR)
  await opening
  const { finishReason } = await segno.segno.completion(segno.sessionId, requestId)
  expect(finishReason).toBe('complete')
})

verifies('GOV-7', 'the time before and after a rest is added up', async () => {
  const clock = heldClock()
  const segno = await segnoUnderTest({
    clock,
    tools: [
      probe('mail', {
        approval: 'ask',
        run: () => {
          clock.pass(3_000)
          return 'sent'
        },
      }),
    ],
    turns: [mail, { calls: [{ name: 'mail', args: { again: true } }] }, { text: 'Sent.' }],
    limits: { TOTAL_MS: 5_000 },
  })
  const { round, approvals } = await segno.askUntilWaiting()
  await segno.decide(approvals[0], 'approve')
  await segno.until('round.waiting', 2)
  clock.pass(HOUR)
  await segno.decide((await segno.pending())[0], 'approve')
  expect(await round.completion).toMatchObject({
    finishReason: 'timeout',
    calls: [{ outcome: 'ok' }, { outcome: 'ok' }],
  })
})

/** A round with five seconds, and what happens to the clock while its call runs. */
async function whileCalled(happens: (clock: ReturnType<typeof heldClock>) => void) {
  const clock = heldClock()
  const run = () => {
    happens(clock)
    return 'sent'
  }
  const segno = await segnoUnderTest({
    clock,
    tools: [probe('mail', { approval: 'auto', run })],
    turns: [mail, { text: 'Sent.' }],
    limits: { TOTAL_MS: 5_000 },
  })
  const round = await segno.send()
  return { segno, completion: await round.completion }
}

verifies('GOV-7', 'neither does a wall clock that is set forward, nor the sleep of the machine', async () => {
  const { segno, completion } = await whileCalled((clock) => {
    clock.pass(1_000)
    clock.jump(HOUR)
  })
  expect(completion).toMatchObject({ finishReason: 'complete', content: 'Sent.' })
  const events = await segno.events()
  expect(events.reduce((sum, { ms = 0 }) => sum + ms, 0)).toBe(1_000)
  expect(events.filter(({ requestId, ms }) => (requestId === null) !== (ms === undefined))).toEqual([])
})

verifies('GOV-7', 'a wall clock that is set back gives a round no more time', async () => {
  const { completion } = await whileCalled((clock) => {
    clock.jump(-HOUR)
    clock.pass(6_000)
  })
  expect(completion).toMatchObject({ finishReason: 'timeout' })
})
