import { useEffect, useState } from 'react'
import { get } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'

export interface Reading<T> {
  readonly value?: T
  /** why it could not be read; `value` is then what was read before */
  readonly error?: string
}

/** What could not be read is tried again after this long. */
const AGAIN_MS = 4000

/** Something on the server, read once, and again when `version` changes. */
export function useReading<T>(path: string, version: string | number): Reading<T> {
  const [reading, setReading] = useState<Reading<T>>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const leaving = new AbortController()
    get<T>(path, leaving.signal).then(
      (value) => setReading({ value }),
      (error: unknown) => {
        if (leaving.signal.aborted) return
        setReading((before) => ({ ...before, error: wordsOf(error) }))
        timer = setTimeout(() => setAttempt((before) => before + 1), AGAIN_MS)
      },
    )
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [path, version, attempt])
  return reading
}
