/**
 * The session coordinator: a request that is streamed, cancelled, timed out and tried again, several readers of one
 * answer, and the numbers of it all.
 *
 *   node --conditions=segno-source examples/session-coordinator.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno } from 'segno'

const model = {
  scenarios: [
    { when: 'hello', turns: [{ text: 'Hello there, and welcome.', deltaChars: 6, delayMs: 20 }] },
    { when: 'wait', turns: [{ text: 'Hm', fault: { kind: 'stall' as const } }] },
    { when: 'busy', turns: [{ fault: { kind: 'error' as const, status: 429 } }, { text: 'Now I can.' }] },
  ],
}
const home = mkdtempSync(join(tmpdir(), 'segno-coordinator-'))
const segno = await createSegno({ home, model, builtInTools: false, limits: { RETRY_BASE_MS: 1 } })
const { id } = await segno.createSession()

// It returns at once; the stream has every turn, the promise how it ended. Each reader of the stream gets all of it.
const { responseId, stream, completionPromise } = await segno.streamRequest(id, 'hello')
const read = async () => {
  let last = ''
  for await (const turn of stream) last = `${turn.status}: ${turn.content}`
  return last
}
const readers = await Promise.all([read(), read()])
console.log(readers[0])
assert.deepEqual(readers, ['completed: Hello there, and welcome.', 'completed: Hello there, and welcome.'])
const { requestId, finishReason } = await completionPromise
assert.deepEqual([requestId, finishReason], [responseId, 'complete'])

// Three ways to end one early.
const abort = new AbortController()
const aborted = await segno.streamRequest(id, 'wait for me', { abortSignal: abort.signal })
abort.abort()
assert.equal((await aborted.completionPromise).finishReason, 'cancelled')
const cancelled = await segno.streamRequest(id, 'wait for me')
await cancelled.cancel()
assert.equal((await cancelled.completionPromise).finishReason, 'cancelled')
const late = await segno.streamRequest(id, 'wait for me', { timeoutMs: 50 })
assert.equal((await late.completionPromise).finishReason, 'timeout')
console.log('cancelled twice, timed out once')

// Failures of the model are tried again; a request may ask for less of that, never for more.
const retried = await segno.streamRequest(id, 'are you busy?')
assert.equal((await retried.completionPromise).content, 'Now I can.')
const retryOptions = { maxRetries: 0, retryableErrors: ['RATE_LIMITED' as const], backoffMs: 1000 }
const given = await segno.streamRequest(id, 'are you busy?', { retryOptions })
assert.equal((await given.completionPromise).finishReason, 'error')
await assert.rejects(segno.streamRequest(id, 'x', { abortSignl: abort.signal } as object), /mean "abortSignal"/)

// The same over HTTP, with frames of its own, and what a model would be told.
const http = (path: string, init?: RequestInit) =>
  segno.fetch(new Request(`http://localhost/api/sessions/${id}${path}`, init))
const headers = { 'content-type': 'application/json' }
const frames = await (await http('/request', { method: 'POST', headers, body: '{"content":"hello"}' })).text()
for (const name of ['initialized', 'turn', 'turn-completed', 'completed'])
  assert.match(frames, new RegExp(`^event: ${name}$`, 'm'))
const prompt = (await (await http('/prompt')).json()) as { sessionId: string; systemPrompt: string }
assert.equal(prompt.sessionId, id)
assert.notEqual(prompt.systemPrompt, '')

const metrics = segno.getMetrics()
const { activeStreams, totalRequestsProcessed, totalStreamingTimeMs, averageResponseTimeMs, errorRate } = metrics
console.log(`${totalRequestsProcessed} requests, ${Math.round(errorRate * 100)} % failed`)
assert.deepEqual([activeStreams, totalRequestsProcessed, errorRate], [0, 7, 1 / 7])
assert.ok(totalStreamingTimeMs >= averageResponseTimeMs && metrics.memoryUsage.heapUsed > 0)
// Closing is the cleanup: what runs gets its time, what is left goes on with the next start.
await segno.close()
rmSync(home, { recursive: true })
