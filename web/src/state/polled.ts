import { useEffect } from 'react'
import { Problem } from '../../../src/contract/problem.ts'
import { client, wordsOf } from '../api/client.ts'
import { createStore, useStore, type Store } from './store.ts'

/** Something on the server, read again and again while somebody looks at it. */
export interface Polled<T> {
  readonly value?: T
  /** why it could not be read; `value` is then what was read before, unless it is gone */
  readonly error?: string
}

interface Source<T> {
  readonly state: Store<Polled<T>>
  watchers: number
  timer: ReturnType<typeof setTimeout> | undefined
  everyMs: number
  /** counts the reads, to drop an answer that was overtaken by a later one */
  readings: number
}

/** A read that failed is tried again after this long at the latest. */
const AGAIN_MS = 4000
/** A read that takes longer is given up and tried again: it would hold up all that follow. */
const LONGEST_MS = 30_000
/** A word and no error, which would keep its surroundings in memory. */
const SLOW = 'slow'
/** How long a value is kept that nobody watches. */
const FORGET_MS = 60_000

const sources = new Map<string, Source<unknown>>()

/** Polls a path; all who watch the same one share the requests. `null`: nothing is polled. */
export function usePolled<T>(path: string | null, everyMs: number): Polled<T> {
  const source = sourceOf<T>(path ?? '')
  useEffect(() => {
    if (path === null) return
    sources.set(path, source)
    source.everyMs = everyMs
    source.watchers += 1
    if (source.watchers === 1) void poll(path, source)
    return () => {
      source.watchers -= 1
      if (source.watchers > 0) return
      clearTimeout(source.timer)
      source.timer = setTimeout(() => sources.delete(path), FORGET_MS)
    }
  }, [path, everyMs, source])
  return useStore(source.state)
}

/** Reads every watched path that begins like this again now. */
export function refresh(path: string): void {
  for (const [known, source] of sources) {
    if (known.startsWith(path) && source.watchers > 0) void poll(known, source)
  }
}

/** What was answered to a change is shown at once, so that the next one begins with it; `refresh` has to follow. */
export function changed(path: string, value: object): void {
  const source = sources.get(path)
  if (!source) return
  source.readings += 1
  source.state.set({ value })
}

function sourceOf<T>(path: string): Source<T> {
  let source = sources.get(path)
  if (!source)
    sources.set(path, (source = { state: createStore({}), watchers: 0, timer: undefined, everyMs: 0, readings: 0 }))
  return source as Source<T>
}

async function poll(path: string, source: Source<unknown>): Promise<void> {
  clearTimeout(source.timer)
  const reading = (source.readings += 1)
  let waitMs = source.everyMs
  if (!document.hidden) {
    const slow = new AbortController()
    const limit = setTimeout(() => slow.abort(SLOW), LONGEST_MS)
    try {
      const value = await client.requestJson('GET', path, { signal: slow.signal })
      if (reading === source.readings) source.state.set({ value })
    } catch (error) {
      const words = slow.signal.aborted ? 'Segno does not answer.' : wordsOf(error)
      const isGone = error instanceof Problem && error.code === 'NOT_FOUND'
      if (reading === source.readings) source.state.set({ ...(!isGone && source.state.get()), error: words })
      waitMs = Math.min(waitMs, AGAIN_MS)
    } finally {
      clearTimeout(limit)
    }
  }
  if (reading !== source.readings || source.watchers === 0) return
  source.timer = setTimeout(() => void poll(path, source), waitMs)
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh('')
})
