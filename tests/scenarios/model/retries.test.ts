import { expect } from 'vitest'
import { said, segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const done: ScriptedTurn = { text: 'Whole.' }
const failing = (status: number): ScriptedTurn => ({ fault: { kind: 'error', status } })

const healing: Record<string, ScriptedTurn> = {
  'a cut': { fault: { kind: 'cut' } },
  'a stall': { fault: { kind: 'stall' } },
  'status 429': failing(429),
  'status 500': failing(500),
  'status 529': failing(529),
  'an overload': { fault: { kind: 'overloaded' } },
}

for (const [name, fault] of Object.entries(healing)) {
  verifies('ORC-12', `after ${name} the model is asked again, and the next turn of the script answers`, async () => {
    const segno = await segnoUnderTest({
      turns: [fault, fault, done],
      // Only what stalls is waited for; what answers has time to do so on a busy machine.
      ...(name === 'a stall' && { limits: { MODEL_CALL_MS: 800, CONTENT_GAP_MS: 800 } }),
    })
    const { events, content } = await segno.ask()
    expect(content).toBe('Whole.')
    expect(said(events, 'turn.retried').map(({ turn, attempt, shown }) => ({ turn, attempt, shown }))).toEqual([
      { turn: 1, attempt: 1, shown: false },
      { turn: 1, attempt: 2, shown: false },
    ])
    expect(said(events, 'turn.started')).toHaveLength(1)
  })
}

verifies('ORC-12', 'a model that keeps failing is asked four times in all', async () => {
  const segno = await segnoUnderTest({ turns: [failing(500)], repeat: true })
  const { events, finishReason } = await segno.ask()
  expect(segno.requests).toHaveLength(4)
  expect(said(events, 'turn.retried')).toHaveLength(3)
  expect(finishReason).toBe('error')
})

verifies('ORC-12', 'a refused key is not tried again, and the user is told what happened', async () => {
  const segno = await segnoUnderTest({ turns: [failing(401)], repeat: true })
  const { events, content } = await segno.ask()
  expect(segno.requests).toHaveLength(1)
  expect(content).toBe(
    '(This could not be finished. The model call failed: the key was refused. ' +
      'Set a valid key for this provider; segno providers ls tells where it is set.)',
  )
  expect(said(events, 'turn.retried')).toEqual([])
})

verifies('ORC-12', 'the wait the provider asks for is kept', async () => {
  const segno = await segnoUnderTest({ turns: [{ fault: { kind: 'error', status: 429, retryAfterMs: 120 } }, done] })
  const before = performance.now()
  const { events } = await segno.ask()
  expect(said(events, 'turn.retried')).toMatchObject([{ reason: 'rate limited', waitMs: 120 }])
  expect(performance.now() - before).toBeGreaterThanOrEqual(115)
})

verifies('ORC-12', 'waits grow from attempt to attempt', async () => {
  const segno = await segnoUnderTest({ turns: [failing(500)], repeat: true, limits: { RETRY_BASE_MS: 20 } })
  const { events } = await segno.ask()
  const waits = said(events, 'turn.retried').map(({ waitMs }) => waitMs)
  for (const [n, base] of [20, 40, 80].entries()) {
    expect(waits[n]).toBeGreaterThanOrEqual(base / 2)
    expect(waits[n]).toBeLessThanOrEqual(base * 1.5)
  }
})

verifies('ORC-12', 'a retry in a later turn counts as a call of the script too', async () => {
  const segno = await segnoUnderTest({
    turns: [{ calls: [{ name: 'gone' }] }, failing(500), { text: 'Third.' }],
  })
  const { content } = await segno.ask()
  expect(content).toBe('Third.')
})

verifies('ORC-12', 'whoever cancels while the model is to be asked again need not wait for it', async () => {
  const segno = await segnoUnderTest({ turns: [failing(500)], repeat: true, limits: { RETRY_BASE_MS: 60_000 } })
  const round = await segno.send()
  await segno.until('turn.retried')
  await round.cancel()
  expect(await round.completion).toMatchObject({ finishReason: 'cancelled' })
  expect(segno.requests).toHaveLength(1)
})
