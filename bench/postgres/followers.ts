import { inTurns } from '../http/in-turns.ts'
import { PACED } from '../http/script.ts'
import type { Server } from '../http/server.ts'
import { noMoreThan, ofCpu, sideBySide } from '../http/side-by-side.ts'
import type { Line } from '../report.ts'
import { W1 } from '../workloads.ts'

/** Reads a session's stream and tells when words come by. */
interface Follower {
  /** Resolves with the time at which these words came, after now. */
  until(words: string): Promise<number>
  stop(): void
}

/**
 * The first delta and the end of a round at a reader of the owner's node and at one of another node, from sending the
 * message to the owner. Both read the same rounds.
 */
export async function benchFollowersElsewhere(owner: Server, other: Server, samples: number): Promise<Line[]> {
  const [sessionId = ''] = await owner.sessions(1)
  await post(owner, sessionId, W1.message)
  const readers = { here: await follow(owner, sessionId), there: await follow(other, sessionId) }
  const rounds = async (message: string) => {
    const start = performance.now()
    const waited = [readers.here, readers.there].flatMap((reader) => [
      reader.until('event: delta'),
      reader.until('"finishReason":"complete"'),
    ])
    await post(owner, sessionId, message)
    return (await Promise.all(waited)).map((at) => at - start)
  }
  const measured = await inTurns([() => rounds(PACED.message)], samples, 2)
  readers.here.stop()
  readers.there.stop()
  const column = (at: number): number[] => (measured[0] ?? []).map((one) => one[at] ?? NaN)
  return [
    sideBySide('first delta at a reader on another node, next to the same', column(2), column(0), ofCpu),
    sideBySide('end of a paced round there, next to the same', column(3), column(1), ofCpu, noMoreThan(1.1)),
  ]
}

async function post({ port }: Server, sessionId: string, content: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  })
  if (!response.ok) throw new Error(`the message was refused: status ${response.status}`)
  await response.text()
}

async function follow({ port }: Server, sessionId: string): Promise<Follower> {
  const stopping = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/api/sessions/${sessionId}/events`, {
    headers: { accept: 'text/event-stream' },
    signal: stopping.signal,
  })
  if (!response.ok || !response.body) throw new Error(`nobody may follow: status ${response.status}`)
  const waiting = new Set<{ words: string; resolve: (at: number) => void }>()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  async function read(): Promise<void> {
    let before = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const text = before + value
      for (const one of waiting) {
        if (!text.includes(one.words)) continue
        waiting.delete(one)
        one.resolve(performance.now())
        before = ''
      }
      before = text.slice(-40)
    }
  }
  read().catch(() => undefined)
  return {
    until: (words) => new Promise((resolve) => waiting.add({ words, resolve })),
    stop: () => stopping.abort(),
  }
}
