import { expect, test } from 'vitest'
import { createHub, followEncoded, type DialectName } from '../../stream/index.ts'
import { eventLog, fact } from '../../../tests/support/event-log.ts'
import { ssePump, type Sink } from './sse-pump.ts'

const EVENTS = 20_000
const TEXT = 'x'.repeat(100)
/** What may be written before others have their turn. */
const STEP = { frames: 256, chars: 200_000 }

async function longLog() {
  const log = await eventLog()
  const hub = createHub(log.store)
  for (let i = 0; i < EVENTS / 100; i++)
    await log.append(...Array.from({ length: 100 }, () => fact('notice', { text: TEXT, reason: 'y' }, null)))
  return { ...log, hub }
}

/** A client that takes everything at once, as one on the same machine does. */
function greedy() {
  const steps: { frames: number; chars: number }[] = [{ frames: 0, chars: 0 }]
  const over = Promise.withResolvers<void>()
  const sink: Sink = {
    write(text) {
      const step = steps.at(-1) as { frames: number; chars: number }
      step.frames += text.split('\n\n').length - 1
      step.chars += text.length
      if (text.includes(`id: ${EVENTS}\n`)) over.resolve()
      return true
    },
    ready: () => Promise.resolve(),
    end: () => over.resolve(),
    break: () => over.resolve(),
  }
  return { sink, steps, over: over.promise }
}

test.each<[DialectName]>([['native'], ['phased']])(
  'a long log in %s is told in small steps, and the event loop goes round after each',
  async (dialect) => {
    const { store, hub, sessionId } = await longLog()
    const readers = [greedy(), greedy(), greedy()]
    // All readers together write no more in one turn of the loop than one of them may.
    const all: { frames: number; chars: number }[] = []
    const turn = (): void => {
      const written = readers.map(({ steps }) => steps.at(-1) as { frames: number; chars: number })
      all.push({
        frames: written.reduce((sum, { frames }) => sum + frames, 0),
        chars: written.reduce((sum, { chars }) => sum + chars, 0),
      })
      for (const { steps } of readers) steps.push({ frames: 0, chars: 0 })
      timer = setImmediate(turn)
    }
    let timer = setImmediate(turn)
    const stop = new AbortController()
    for (const { sink } of readers) {
      const batches = followEncoded(store, hub, {
        sessionId,
        workspaceId: 'p',
        outputs: false,
        dialect,
        signal: stop.signal,
      })
      void ssePump(batches, sink, { stop: new AbortController() }).run()
    }
    await Promise.all(readers.map(({ over }) => over))
    turn()
    clearImmediate(timer)
    stop.abort()
    const told = all.reduce((sum, { frames }) => sum + frames, 0)
    expect(told).toBeGreaterThanOrEqual(EVENTS * readers.length)
    const [first, ...steps] = all.filter(({ frames }) => frames > 0)
    // The first step of each needs nobody's leave.
    expect(first?.frames).toBeLessThanOrEqual(STEP.frames * readers.length)
    expect(Math.max(...steps.map(({ frames }) => frames))).toBeLessThanOrEqual(STEP.frames)
    expect(Math.max(...steps.map(({ chars }) => chars))).toBeLessThanOrEqual(STEP.chars)
  },
)
