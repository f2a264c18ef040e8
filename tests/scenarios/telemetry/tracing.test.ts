import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { newId } from '../../../src/lib/id.ts'
import { createTracing, type TracingOptions } from '../../../src/telemetry/index.ts'
import { givenLog, roundEnded, roundStarted } from '../../support/given-log.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { accept, collector, nobody, refuse } from './support/collector.ts'
import { readTraces } from './support/read-traces.ts'

const tracingTo = (endpoint: string | undefined, more: Partial<TracingOptions> = {}) =>
  createTracing({ endpoint, version: '1.2.3', describeModel: (key) => ({ provider: key, model: key }), ...more })

/** A round that makes one span. */
function round(): StoredEvent[] {
  const now = Date.now()
  return givenLog(roundStarted({ id: newId() }), roundEnded()).map((event) => ({ ...event, at: now }))
}

const traceOf = ([first]: readonly StoredEvent[]) => first?.requestId?.replaceAll('-', '')

verifies(
  'COO-7',
  'sends a collector the trace of a round: agent, model calls and tools, with the GenAI names',
  async () => {
    const { endpoint, ...received } = await collector()
    const { ask, sessionId } = await segnoUnderTest({
      tools: [
        probe('look'),
        probe('break', {
          run: () => {
            throw new Error('no')
          },
        }),
      ],
      turns: [
        { text: 'Looking.', calls: [{ name: 'look' }, { name: 'break' }], usage: { input: 100, output: 20 } },
        { text: 'Done.', usage: { input: 150, output: 5 } },
      ],
    })
    const { events, requestId } = await ask('Go.')
    const tracing = tracingTo(endpoint)
    tracing.see(sessionId, events)
    await tracing.close()

    const spans = received.spans()
    expect(spans.map(({ name }) => name).sort()).toEqual([
      'chat scripted',
      'chat scripted',
      'execute_tool break',
      'execute_tool look',
      'invoke_agent',
    ])
    const agent = spans.find(({ name }) => name === 'invoke_agent')
    for (const span of spans) {
      expect(span.traceId).toBe(requestId.replaceAll('-', ''))
      expect(span.parentSpanId).toBe(span === agent ? undefined : agent?.spanId)
      expect(span.attributes['gen_ai.conversation.id']).toBe(sessionId)
      expect(span.start).toBeGreaterThanOrEqual(agent?.start ?? 0n)
      expect(span.end).toBeLessThanOrEqual(agent?.end ?? 0n)
    }
    expect(agent?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 250, 'gen_ai.usage.output_tokens': 25 })
    expect(spans.find(({ name }) => name === 'chat scripted')).toMatchObject({ kind: 3, status: 0 })
    expect(spans.find(({ name }) => name === 'execute_tool break')).toMatchObject({
      kind: 1,
      status: 2,
      attributes: { 'error.type': 'error', 'gen_ai.tool.name': 'break' },
    })
    expect(tracing.lost()).toBe(0)
  },
)

describe('the exporter', () => {
  test('posts JSON to /v1/traces with the headers given, and says who it is', async () => {
    const { endpoint, received } = await collector()
    const tracing = tracingTo(`${endpoint}/base/`, { headers: 'authorization=Bearer%20abc,x-tenant=t1' })
    tracing.see('s', round())
    await tracing.close()
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      path: '/base/v1/traces',
      headers: { 'content-type': 'application/json', authorization: 'Bearer abc', 'x-tenant': 't1' },
    })
    expect(readTraces(received[0]?.body ?? '').resource).toEqual({
      'service.name': 'segno',
      'service.version': '1.2.3',
    })
  })

  test('does nothing at all without an endpoint', async () => {
    let asked = 0
    const fetch = (): Promise<Response> => Promise.resolve(new Response(String(asked++)))
    const tracing = tracingTo(undefined, { fetch })
    tracing.see('s', round())
    await tracing.close()
    expect(asked).toBe(0)
  })

  test('sends a full batch at once and the rest after its delay', async () => {
    const { endpoint, received, requests, spans } = await collector()
    const tracing = tracingTo(endpoint, { limits: { batch: 3, delayMs: 20 } })
    for (let i = 0; i < 4; i++) tracing.see('s', round())
    await requests(2)
    expect(received.map(({ body }) => readTraces(body).spans.length)).toEqual([3, 1])
    expect(new Set(spans().map(({ spanId }) => spanId)).size).toBe(4)
    await tracing.close()
  })

  test('tries again when the collector is busy, and loses nothing', async () => {
    const busy = refuse(503, { 'retry-after': '0' })
    const { endpoint, received, requests } = await collector((response, n) => (n < 3 ? busy : accept)(response))
    const tracing = tracingTo(endpoint, { limits: { batch: 1 } })
    tracing.see('s', round())
    await requests(3)
    await tracing.close()
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(tracing.lost()).toBe(0)
  })

  test('does not try again what the collector will never take, and counts it as lost', async () => {
    for (const status of [500, 400, 307]) {
      const { endpoint, requests, spans } = await collector(refuse(status, { location: '/elsewhere' }))
      const tracing = tracingTo(endpoint, { limits: { batch: 1, retryBaseMs: 1 } })
      const rounds = [round(), round()]
      for (const events of rounds) tracing.see('s', events)
      await requests(2)
      await tracing.close()
      expect(spans().map(({ traceId }) => traceId)).toEqual(rounds.map(traceOf))
      expect(tracing.lost()).toBe(2)
    }
  })

  test('gives up on a collector that is down after a number of attempts, and goes on with the next batch', async () => {
    const sent: unknown[] = []
    const { promise: next, resolve } = Promise.withResolvers<void>()
    const fetch: typeof globalThis.fetch = (url, request) => {
      if (sent.push(request?.body) === 4) resolve()
      return globalThis.fetch(url, request)
    }
    const tracing = tracingTo(await nobody(), { fetch, limits: { batch: 1, attempts: 3, retryBaseMs: 1 } })
    tracing.see('s', round())
    tracing.see('s', round())
    await next
    expect(tracing.lost()).toBe(1)
    expect(sent.slice(1, 3)).toEqual([sent[0], sent[0]])
    expect(sent[3]).not.toEqual(sent[0])
    await tracing.close()
    expect(tracing.lost()).toBe(2)
  })

  test('closes at once while the collector is down and it waits to try again', async () => {
    const { promise: failed, resolve } = Promise.withResolvers<void>()
    const fetch: typeof globalThis.fetch = (...request) =>
      globalThis.fetch(...request).finally(() => setImmediate(resolve))
    const anHour = 3_600_000
    const limits = { batch: 1, retryBaseMs: anHour, retryMaxMs: anHour }
    const tracing = tracingTo(await nobody(), { fetch, limits })
    tracing.see('s', round())
    await failed
    expect(tracing.lost()).toBe(0)
    await tracing.close()
    expect(tracing.lost()).toBe(1)
  })

  test('closes in time though the collector never answers', async () => {
    const { endpoint, requests } = await collector(() => {})
    const tracing = tracingTo(endpoint, { limits: { batch: 1, closeMs: 30 } })
    for (let i = 0; i < 3; i++) tracing.see('s', round())
    await requests(1)
    await tracing.close()
    expect(tracing.lost()).toBe(3)
  })

  test('gives a request that is not answered its time and no more', async () => {
    const { endpoint, requests } = await collector((response, n) => void (n > 1 && accept(response)))
    const tracing = tracingTo(endpoint, { limits: { batch: 1, timeoutMs: 30, retryBaseMs: 1 } })
    tracing.see('s', round())
    await requests(2)
    await tracing.close()
    expect(tracing.lost()).toBe(0)
  })

  test('keeps a bounded number of spans, loses the oldest and counts them', async () => {
    let answers: (() => void)[] = []
    const { endpoint, requests, spans } = await collector((response) => answers.push(() => accept(response)))
    const tracing = tracingTo(endpoint, { limits: { batch: 2, queue: 4 } })
    const rounds = Array.from({ length: 8 }, round)
    for (const events of rounds.slice(0, 2)) tracing.see('s', events)
    await requests(1)
    for (const events of rounds.slice(2)) tracing.see('s', events)
    expect(tracing.lost()).toBe(2)
    const closing = tracing.close()
    for (let n = 1; n <= 3; n++) {
      await requests(n)
      for (const answer of answers) answer()
      answers = []
    }
    await closing
    const kept = [...rounds.slice(0, 2), ...rounds.slice(4)]
    expect(spans().map(({ traceId }) => traceId)).toEqual(kept.map(traceOf))
    expect(tracing.lost()).toBe(2)
  })

  test('never throws into whoever tells it what was stored', async () => {
    const fetch = (): Promise<Response> => {
      throw new TypeError('fetch is broken')
    }
    const tracing = tracingTo('http://localhost:1', { fetch, limits: { batch: 1, attempts: 1 } })
    expect(() => tracing.see('s', round())).not.toThrow()
    await tracing.close()
    tracing.see('s', round())
    expect(tracing.lost()).toBe(2)
  })
})
