import { useEffect, useState } from 'react'
import { get } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'

export interface Reading<T> {
  readonly value?: T
  /** why it could not be read; `value` is then what was read before */
  readonly error?: string
}

/** Something on the server, read once, and again when `version` changes. */
export function useReading<T>(path: string, version: string | number): Reading<T> {
  const [reading, setReading] = useState<Reading<T>>({})
  useEffect(() => {
    const leaving = new AbortController()
    get<T>(path, leaving.signal).then(
      (value) => setReading({ value }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setReading((before) => ({ ...before, error: wordsOf(error) }))
      },
    )
    return () => leaving.abort()
  }, [path, version])
  return reading
}
