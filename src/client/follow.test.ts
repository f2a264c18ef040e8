import { beforeAll, expect, test, vi } from 'vitest'
import type { ProblemCode } from '../contract/problem.ts'
import { follow, type FollowOptions } from './follow.ts'
import { ApiProblem } from './problem.ts'
import type { RequestOptions } from './request.ts'

beforeAll(() => {
  vi.useFakeTimers().setTimerTickMode('nextTimerAsync')
  return () => vi.useRealTimers()
})

/** What a server streams that answers in these ways, one after the other; then it is left. */
function following(answers: (() => Response)[], more: FollowOptions = {}) {
  const asked: string[] = []
  const told: string[] = []
  const end = new AbortController()
  const request = async (_: string, __: string, { headers }: RequestOptions = {}): Promise<Response> => {
    asked.push(headers?.['last-event-id'] ?? '')
    const next = answers.shift()
    if (!next) end.abort()
    return (next ?? silent)()
  }
  const frames = follow(request, 's', {
    after: 4,
    signal: end.signal,
    silenceMs: 20,
    onStatus: (status, problem) => told.push(problem ? `${status}: ${problem.message}` : status),
    ...more,
  })
  return { frames, asked, told }
}

const stream = (body: string | ReadableStream): Response =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } })
const silent = (): Response => stream(new ReadableStream({}))
const refuses =
  (status: number, code: ProblemCode, more = {}) =>
  () => {
    throw new ApiProblem(status, code, 'No.', more)
  }
const eventText = (seq: number): string =>
  `id: ${seq}\nevent: notice\ndata: ${JSON.stringify({ seq, type: 'notice' })}\n\n`
const says =
  (...seqs: number[]) =>
  () =>
    stream(seqs.map(eventText).join(''))

async function seqsOf(frames: ReturnType<typeof follow>): Promise<number[]> {
  const batches = await Array.fromAsync(frames)
  return batches.flat().flatMap((frame) => (frame.kind === 'event' ? [frame.event.seq] : []))
}

test.each([
  [404, 'NOT_FOUND', 'gone: No.'],
  [401, 'KEY_REQUIRED', 'failed: No.'],
  [401, 'KEY_INVALID', 'failed: No.'],
  [403, 'PERMISSION_DENIED', 'failed: No.'],
  [409, 'CONFLICT', 'failed: No.'],
] as const)('a refusal that no other try helps against ends it: %s %s', async (status, code, last) => {
  const { frames, asked, told } = following([refuses(status, code)])
  await expect(frames.next()).rejects.toMatchObject({ status, code })
  expect(asked).toHaveLength(1)
  expect(told).toEqual(['connecting', last])
})

test('a connection that breaks or falls silent is tried again from where it was, and nothing is given twice', async () => {
  const { frames, asked, told } = following([says(5, 6, 7), silent, says(6, 7, 8)])
  expect(await seqsOf(frames)).toEqual([5, 6, 7, 8])
  expect(asked).toEqual(['4', '7', '7', '8'])
  expect(told).toEqual([
    'connecting',
    'live',
    'reconnecting: The connection was closed.',
    'live',
    'reconnecting: Nothing was heard of Segno any more.',
    'live',
    'reconnecting: The connection was closed.',
    'live',
  ])
})

test('a server that is busy is left alone for as long as it says', async () => {
  const { frames, asked } = following([refuses(429, 'RATE_LIMITED', { retryAfterMs: 900 }), says(5)])
  const since = Date.now()
  expect(await seqsOf(frames)).toEqual([5])
  expect(Date.now() - since).toBeGreaterThanOrEqual(890)
  expect(asked).toEqual(['4', '4', '5'])
})

test('why the server ends a stream is told, and what came before it is kept', async () => {
  const error = 'event: error\ndata: {"code":"SHUTTING_DOWN","message":"Segno stops."}\n\n'
  const { frames, told } = following([() => stream(`${eventText(5)}${error}`), says(6)])
  expect(await seqsOf(frames)).toEqual([5, 6])
  expect(told).toContain('reconnecting: Segno stops.')
})

test.each([
  ['a page of somebody else', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'not Segno'],
  ['no object', () => stream('id: 5\nevent: notice\ndata: null\n\n'), 'not from Segno'],
  ['an event without its number', () => stream('id: 5\nevent: notice\ndata: {"seq":"5"}\n\n'), 'not from Segno'],
  ['no JSON', () => stream('id: 5\nevent: notice\ndata: {"seq"\n\n'), 'not from Segno'],
])('%s is no answer, and is tried again', async (_, answer, words) => {
  const { frames, told } = following([answer, says(5)])
  expect(await seqsOf(frames)).toEqual([5])
  expect(told.join()).toContain(words)
})

test('where to go on can be asked for before each connection; what is wrong with that is tried again too', async () => {
  const known = [refuses(503, 'STORE_BUSY'), () => 6, () => 9]
  const { frames, asked } = following([says(7), says(10)], { after: async () => known.shift()?.() ?? 12 })
  expect(await seqsOf(frames)).toEqual([7, 10])
  expect(asked).toEqual(['6', '9', '12'])
})

test('a mistake of who follows is no broken connection', async () => {
  const { frames, asked } = following([says(5)], { after: () => Promise.reject(new TypeError('a bug')) })
  await expect(frames.next()).rejects.toThrow('a bug')
  expect(asked).toEqual([])
})
