import { useEffect, useRef } from 'react'
import { refresh, usePolled, type Polled } from '../state/polled.ts'
import { useFollowed } from '../state/session.ts'

const SELDOM_MS = 60_000

/** Something the server makes of the log: read again after the events that can change it, and seldom otherwise. */
export function useReading<T>(path: string): Polled<T> {
  const { events } = useFollowed().log
  const version = events.findLast(({ type }) => /^(?:round|context|compact)\.|^message\.deleted$/.test(type))?.seq
  const read = useRef(version)
  useEffect(() => {
    if (read.current !== version) refresh(path)
    read.current = version
  }, [path, version])
  return usePolled<T>(path, SELDOM_MS)
}
