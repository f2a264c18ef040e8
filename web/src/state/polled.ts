import { useEffect, useRef } from 'react'
import { get } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'
import { createStore, useStore, type Store } from './store.ts'

/** Something on the server, read again and again while somebody looks at it. */
export interface Polled<T> {
  readonly value?: T
  /** why it could not be read; `value` is then what was read before */
  readonly error?: string
}

interface Source<T> {
  readonly state: Store<Polled<T>>
  watchers: number
  timer: ReturnType<typeof setTimeout> | undefined
  everyMs: number
  /** how often it was read: what an earlier reading finds later is old */
  readings: number
}

/** What could not be read is tried again after this long at the latest. */
const AGAIN_MS = 4000
/** So often, what is read again when it changes is read although nobody said that it did. */
const SELDOM_MS = 60_000
/** So long something is known that nobody looks at. */
const FORGET_MS = 60_000

const sources = new Map<string, Source<unknown>>()

/** All who watch the same path share one source. `null`: nothing is watched. */
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

/** The same for something that changes only when `version` does. */
export function useReading<T>(path: string, version: number): Polled<T> {
  const read = useRef(version)
  useEffect(() => {
    if (read.current !== version) refresh(path)
    read.current = version
  }, [path, version])
  return usePolled<T>(path, SELDOM_MS)
}

/** Reads everything again now whose path begins like this: something has changed there. */
export function refresh(path: string): void {
  for (const [known, source] of sources) {
    if (known.startsWith(path) && source.watchers > 0) void poll(known, source)
  }
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
    try {
      const value = await get(path)
      if (reading === source.readings) source.state.set({ value })
    } catch (error) {
      if (reading === source.readings) source.state.set({ ...source.state.get(), error: wordsOf(error) })
      waitMs = Math.min(waitMs, AGAIN_MS)
    }
  }
  if (reading !== source.readings || source.watchers === 0) return
  source.timer = setTimeout(() => void poll(path, source), waitMs)
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh('')
})
