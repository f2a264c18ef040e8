import { useContext, useEffect, useState } from 'react'
import { get } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'
import type { Page, Session } from '../api/shapes.ts'
import type { Follower } from '../state/follow-session.ts'
import { may, useMe } from '../state/me.ts'
import { refresh, usePolled } from '../state/polled.ts'
import { SessionContext } from '../state/session.ts'
import { withNewest, withOlder, type Loaded } from './merge-sessions.ts'

const PAGE = 50
const EVERY_MS = 4000

export interface SessionList extends Loaded {
  /** nothing has come yet */
  readonly isLoading: boolean
  /** what is shown is of an earlier search */
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
      get<Page<Session>>(`${path}&cursor=${encodeURIComponent(held.next)}`).then(
        (page) => {
          setFailure(undefined)
          hold((before) => (before.of === path ? { ...withOlder(before, page), of: path } : before))
        },
        (problem: unknown) => setFailure(wordsOf(problem)),
      )
    },
  }
}

/** False for a key that is for other things: asking again and again would fill the audit log with refusals. */
export function useMayRead(): boolean {
  const me = useMe()
  return me === undefined || may(me, 'chat:read')
}

/** Events after which a list of conversations looks different. */
const TELLING = /^(?:session\.|round\.|approval\.)/

/** What happens in the conversation that is open is seen in the lists at once, not with their next reading. */
export function useFreshLists(): void {
  const follower = useContext(SessionContext)
  useEffect(() => (follower ? watch(follower) : undefined), [follower])
}

function watch({ state }: Follower): () => void {
  let seen = state.get().log.last
  return state.subscribe(() => {
    const { events, last } = state.get().log
    if (last === seen) return
    const fresh = events.filter(({ seq }) => seq > seen)
    seen = last
    if (!fresh.some(({ type }) => TELLING.test(type))) return
    refresh('/api/sessions?')
    refresh('/api/approvals')
  })
}
