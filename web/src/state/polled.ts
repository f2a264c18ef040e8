import { useEffect } from 'react'
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
}

const sources = new Map<string, Source<unknown>>()

/** All who watch the same path share one source. `null`: nothing is watched. */
export function usePolled<T>(path: string | null, everyMs: number): Polled<T> {
  const source = sourceOf<T>(path ?? '')
  useEffect(() => {
    if (path === null) return
    source.everyMs = everyMs
    source.watchers += 1
    if (source.watchers === 1) void poll(path, source)
    return () => {
      source.watchers -= 1
      if (source.watchers === 0) clearTimeout(source.timer)
    }
  }, [path, everyMs, source])
  return useStore(source.state)
}

/** Reads everything again now whose path begins like this: something has changed there. */
export function refresh(path: string): void {
  for (const [known, source] of sources) {
    if (known.startsWith(path) && source.watchers > 0) void poll(known, source)
  }
}

function sourceOf<T>(path: string): Source<T> {
  let source = sources.get(path)
  if (!source) sources.set(path, (source = { state: createStore({}), watchers: 0, timer: undefined, everyMs: 0 }))
  return source as Source<T>
}

async function poll(path: string, source: Source<unknown>): Promise<void> {
  clearTimeout(source.timer)
  if (!document.hidden) {
    try {
      source.state.set({ value: await get(path) })
    } catch (error) {
      source.state.set({ ...source.state.get(), error: wordsOf(error) })
    }
  }
  clearTimeout(source.timer)
  if (source.watchers > 0) source.timer = setTimeout(() => void poll(path, source), source.everyMs)
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh('')
})
