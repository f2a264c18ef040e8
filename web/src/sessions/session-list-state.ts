import { useEffect, useState } from 'react'
import type { Page, Session } from '../../../src/client/index.ts'
import { client, wordsOf } from '../api/client.ts'
import { useMayRead } from '../state/me.ts'
import { usePolled } from '../state/polled.ts'
import { withNewest, withOlder, type Loaded } from './merge-sessions.ts'

const PAGE = 50
const EVERY_MS = 4000

export interface SessionList extends Loaded {
  /** nothing has come yet */
  readonly isLoading: boolean
  /** the items are those of an earlier search */
  readonly isStale: boolean
  readonly error?: string
  loadMore(): void
}

/** The conversations that fit, kept fresh while somebody looks. */
export function useSessionList(search: string, archived: boolean): SessionList {
  const words = search === '' ? '' : `&search=${encodeURIComponent(search)}`
  const path = `/api/sessions?archived=${archived}&limit=${PAGE}${words}`
  const mayRead = useMayRead()
  const newest = usePolled<Page<Session>>(mayRead ? path : null, EVERY_MS)
  const [held, hold] = useState<Loaded & { readonly of: string }>({ of: '', items: [], next: null })
  const [failure, setFailure] = useState<string>()

  useEffect(() => {
    const page = newest.value
    if (page) hold((before) => ({ ...(before.of === path ? withNewest(before, page) : page), of: path }))
  }, [newest.value, path])

  const isStale = held.of !== path
  const error = mayRead ? (newest.error ?? failure) : 'Your key may not read conversations.'
  return {
    items: held.items,
    next: isStale ? null : held.next,
    isLoading: held.of === '',
    isStale,
    ...(error !== undefined && { error }),
    loadMore() {
      if (isStale || held.next === null) return
      client.requestJson<Page<Session>>('GET', `${path}&cursor=${encodeURIComponent(held.next)}`).then(
        (page) => {
          setFailure(undefined)
          hold((before) => (before.of === path ? { ...withOlder(before, page), of: path } : before))
        },
        (problem: unknown) => setFailure(wordsOf(problem)),
      )
    },
  }
}
