import { expect } from 'vitest'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { gateTool } from '../library/support/gate-tool.ts'

verifies('COO-7', 'past the queue new rounds are refused while the one that runs finishes', async () => {
  const hold = gateTool()
  const it = await segnoUnderTest({
    tools: [hold],
    turns: [{ calls: [{ name: 'hold' }] }, { text: 'Done.' }],
    limits: { MAX_ROUNDS: 1, QUEUE_LENGTH: 0 },
  })
  const running = await it.send()
  await hold.entered
  const path = `/api/sessions/${String((await ask(it, 'POST', '/api/sessions')).body['id'])}/messages`
  expect(await ask(it, 'POST', path, { content: 'hi' })).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect((await ask(it, 'GET', '/health')).status).toBe(200)
  const metrics = String((await ask(it, 'GET', '/metrics')).body['text'])
  expect(metrics).toMatch(/^segno_rounds_running 1$/m)
  hold.open()
  expect((await running.completion).finishReason).toBe('complete')
  expect((await ask(it, 'POST', `${path}?wait=1`, { content: 'hi' })).status).toBe(200)
})

verifies('COO-7', 'when memory is short new rounds are refused, and the answer names the limit', async () => {
  const it = await segnoUnderTest({ limits: { MEMORY_PERCENT: 1 } })
  // More than one percent of any heap Node allows itself here.
  const ballast = Array.from({ length: 4_000_000 }, (_, n) => ({ n }))
  const { status, body } = await ask(it, 'POST', `/api/sessions/${it.sessionId}/messages`, { content: 'hi' })
  expect([status, ballast.length]).toEqual([429, 4_000_000])
  expect(body['detail']).toContain('MEMORY_PERCENT')
})

verifies('COO-7', 'rounds, durations, errors, tokens, cost, queue, streams and memory can be scraped', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Hello.' }] })
  await it.ask()
  const metrics = String((await ask(it, 'GET', '/metrics')).body['text'])
  for (const name of [
    'segno_rounds_ended_total',
    'segno_round_duration_seconds_count',
    'segno_turns_total',
    'segno_tokens_total',
    'segno_cost_microdollars_total',
    'segno_rounds_queued',
    'segno_streams_active',
    'process_resident_memory_bytes',
  ])
    expect(metrics).toMatch(new RegExp(`^${name}(\\{[^}]*\\})? \\d`, 'm'))
})
