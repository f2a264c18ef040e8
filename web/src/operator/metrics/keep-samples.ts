import { useEffect } from 'react'
import { request } from '../../api/client.ts'
import { wordsOf } from '../../api/problem.ts'
import { createStore, useStore } from '../../state/store.ts'
import { readSample, type Sample } from './sample.ts'

const EVERY_MS = 2000
const KEPT_MS = 10 * 60_000

interface Kept {
  readonly samples: readonly Sample[]
  readonly error?: string
}

const kept = createStore<Kept>({ samples: [] })

/** The last ten minutes, as far as somebody looked: they stay while other pages are shown. */
export function useSamples(): Kept {
  useEffect(() => {
    const closing = new AbortController()
    void keep(closing.signal)
    return () => closing.abort()
  }, [])
  return useStore(kept)
}

async function keep(until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    if (!document.hidden) await scrape(until)
    await pause(EVERY_MS, until)
  }
}

async function scrape(signal: AbortSignal): Promise<void> {
  const { samples } = kept.get()
  try {
    const text = await (await request('GET', '/metrics', undefined, { signal })).text()
    const sample = readSample(text, Date.now())
    kept.set({ samples: [...samples.filter(({ at }) => at > sample.at - KEPT_MS && at < sample.at), sample] })
  } catch (error) {
    if (!signal.aborted) kept.set({ samples, error: wordsOf(error) })
  }
}

function pause(ms: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      until.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    until.addEventListener('abort', done)
  })
}
