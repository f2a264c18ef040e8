import { useEffect } from 'react'
import { client, wordsOf } from '../../api/client.ts'
import { createStore, useStore } from '../../state/store.ts'
import { readSample, type Sample } from './sample.ts'

const EVERY_MS = 2000
const RECENT_MS = 10 * 60_000

interface Samples {
  readonly samples: readonly Sample[]
  readonly error?: string
}

const recent = createStore<Samples>({ samples: [] })

/** The samples of the last ten minutes; they stay while other pages are shown. */
export function useSamples(): Samples {
  useEffect(() => {
    const closing = new AbortController()
    const look = (): void => {
      if (!document.hidden) void scrape(closing.signal)
    }
    look()
    const timer = setInterval(look, EVERY_MS)
    return () => {
      clearInterval(timer)
      closing.abort()
    }
  }, [])
  return useStore(recent)
}

async function scrape(signal: AbortSignal): Promise<void> {
  const { samples } = recent.get()
  try {
    const text = await (await client.request('GET', '/metrics', { signal })).text()
    const sample = readSample(text, Date.now())
    recent.set({ samples: [...samples.filter(({ at }) => at > sample.at - RECENT_MS && at < sample.at), sample] })
  } catch (error) {
    if (!signal.aborted) recent.set({ samples, error: wordsOf(error) })
  }
}
