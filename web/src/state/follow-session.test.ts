import { afterEach, expect, test, vi } from 'vitest'
import { followSession } from './follow-session.ts'

afterEach(() => vi.unstubAllGlobals())

const json = (value: object): Response => Response.json(value)

/** One connection that says all of this in one piece and stays open. */
function stream(frames: readonly string[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(frames.map((one) => `${one}\n\n`).join(''))),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

test('text that comes together with the word that a round goes on is kept', async () => {
  const resumed = { seq: 5, type: 'round.resumed', requestId: 'r', data: { n: 1, turn: 1, reason: 'takeover' } }
  const delta = { requestId: 'r', turn: 1, kind: 'text', offset: 0, text: 'anew' }
  const frames = [
    `id: 5\nevent: round.resumed\ndata: ${JSON.stringify(resumed)}`,
    `event: delta\ndata: ${JSON.stringify(delta)}`,
  ]
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 0))
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    if (new Headers(headers).get('accept') === 'text/event-stream') return stream(frames)
    return url.includes('/events') ? json({ items: [], next: null }) : json({ id: 's', title: 't', seq: 4 })
  })
  const follower = followSession('s')
  try {
    await vi.waitFor(() => expect(follower.state.get().log.last).toBe(5))
    expect(follower.live.turn('r', 1)?.text).toBe('anew')
  } finally {
    follower.close()
  }
})
