import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { reach } from '../../../src/channel/cli/reach.ts'
import { showRound } from '../../../src/channel/cli/topics/rounds.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { answers } from '../../support/faulty-provider/plays.ts'
import { WIRE_NAMES, WIRES, type Wire } from '../../support/faulty-provider/wires.ts'
import { verifies } from '../../support/verifies.ts'
import { openStage, type Stage } from './support/stage.ts'

const KEY = 'a-key-of-this-installation-0123'
const SECRET = 'the treasure lies under the old oak'
/** What only the provider says. */
const WORDS = 'unexpected zebra in the request'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(
    { TOTAL_MS: 60_000, CONNECT_MS: 20_000, CONTENT_GAP_MS: 30_000, MODEL_CALL_MS: 60_000 },
    { OPENAI_API_KEY: KEY, SEGNO_LOG: 'debug' },
  )
})
afterAll(() => stage.close())

const MESSAGE = `${WORDS}: ${JSON.stringify({ content: SECRET })} (key ${KEY}) ${'and so on '.repeat(100)}`

/** A round whose provider quotes what it was sent, and the key, in its error. */
async function failing(wire: Wire, status: number, said = MESSAGE) {
  const { segno } = stage
  const { mark } = stage.plan((attempt) => (exchange) => {
    if (attempt > 1) return answers(exchange)
    exchange.open({ 'content-type': 'application/json' }, status)
    exchange.response.end(JSON.stringify(wire.error(status, said)))
  })
  const { id } = await segno.createSession({ model: wire.model })
  const round = await segno.streamRequest(id, `Tell nobody that ${SECRET} ${mark}.`)
  const { finishReason } = await round.completion
  return { sessionId: id, requestId: round.requestId, finishReason }
}

for (const name of WIRE_NAMES)
  verifies(['COO-6', 'PHA-9'], `what ${name} said is in the trace, without quotes and secrets`, async () => {
    const { requestId, finishReason } = await failing(WIRES[name], 400)
    expect(finishReason).toBe('error')
    const trace = await stage.segno.readings.trace(LOCAL_OWNER, requestId)
    const [failed] = trace.filter((entry) => entry.type === 'model_call_failed')
    expect(failed).toMatchObject({ turn: 1, said: expect.stringContaining(WORDS) as string })
    expect(failed?.said.length).toBeLessThanOrEqual(500)
    expect(JSON.stringify(trace)).not.toContain('treasure')
    expect(JSON.stringify(trace)).not.toContain(KEY)
  })

verifies(['COO-6', 'PHA-9'], 'an attempt that was made again keeps what the provider said, too', async () => {
  const { requestId, finishReason } = await failing(WIRES.anthropic, 500)
  expect(finishReason).toBe('complete')
  const trace = await stage.segno.readings.trace(LOCAL_OWNER, requestId)
  expect(trace.find(({ type }) => type === 'model_call_failed')).toMatchObject({ turn: 1, attempt: 1 })
})

verifies('PHA-9', 'nobody reads it who may not read traces, in whatever way', async () => {
  const { segno } = stage
  const { sessionId, requestId } = await failing(WIRES.openai, 400)
  const asUser = { ...LOCAL_OWNER, permissions: ['chat:*'] }
  await expect(segno.readings.trace(asUser, requestId)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  const get = async (path: string): Promise<string> =>
    (await segno.fetch(new Request(`http://localhost/api${path}`))).text()
  const told = [
    await get(`/sessions/${sessionId}/events`),
    await get(`/sessions/${sessionId}/events?outputs=1`),
    await get(`/sessions/${sessionId}/messages`),
    await get(`/sessions/${sessionId}/export?as=jsonl`),
    await get(`/sessions/${sessionId}/export?as=markdown`),
    await get(`/rounds/${requestId}`),
    await get(`/rounds/${requestId}/prompt`),
    await get('/audit'),
    JSON.stringify(await segno.sessions.events(LOCAL_OWNER, sessionId)),
  ]
  expect(told.filter((text) => text.length < 50)).toEqual([])
  expect(told.filter((text) => text.includes('zebra'))).toEqual([])
})

verifies('PHA-9', 'segno rounds show tells it to those who may read traces', async () => {
  const { requestId } = await failing(WIRES.google, 400)
  const reached = await reach({ home: '/nowhere', key: undefined, server: undefined, open: async () => stage.segno })
  const { text } = await showRound(reached, requestId)
  expect(text).toMatch(/^ {2}said {5}in turn 1, by the provider: unexpected zebra in the request/m)
})

verifies('COO-7', 'it is logged at the level debug', async () => {
  const lines: string[] = []
  const written = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  onTestFinished(() => written.mockRestore())
  const { requestId } = await failing(WIRES.deepseek, 400)
  const [entry, ...more] = lines.filter((line) => line.includes('zebra')).map((line) => JSON.parse(line) as object)
  expect(entry).toMatchObject({ level: 'debug', event: 'provider_said', requestId })
  expect(more).toEqual([])
  expect(lines.join('')).not.toContain('treasure')
})

verifies('PHA-9', 'a key is not told in part because a long message was cut inside it', async () => {
  const quote = SECRET.repeat(200)
  // What is read of a message ends within the key.
  const message = `${WORDS} ${quote.slice(0, 3984 - WORDS.length)} ${KEY} ${quote}`
  const { requestId } = await failing(WIRES.openai, 400, message)
  const trace = JSON.stringify(await stage.segno.readings.trace(LOCAL_OWNER, requestId))
  expect(trace).toContain('unexpected zebra')
  expect(trace).not.toContain(KEY.slice(4, 12))
})
