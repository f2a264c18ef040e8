import { useState } from 'react'
import type { Page } from '../api/shapes.ts'
import { Button } from '../parts/button.tsx'
import { usePolled, type Polled } from '../state/polled.ts'

interface Paged<T> {
  readonly list: Polled<Page<T>>
  readonly pager: React.ReactNode
}

/** A list that is read page by page. The first page goes on being read; `path` already has a query. */
export function usePages<T>(path: string | null, everyMs: number): Paged<T> {
  // Other filters begin at the first page again.
  const [place, setPlace] = useState<{ path: string | null; cursors: readonly string[] }>({ path, cursors: [] })
  const cursors = place.path === path ? place.cursors : []
  const go = (next: readonly string[]): void => setPlace({ path, cursors: next })
  const cursor = cursors.at(-1)
  const list = usePolled<Page<T>>(
    path === null || cursor === undefined ? path : `${path}&cursor=${encodeURIComponent(cursor)}`,
    everyMs,
  )
  const next = list.value?.next ?? null
  const pager = (cursor !== undefined || next !== null) && (
    <nav className="op-pager" aria-label="Pages">
      <Button disabled={cursor === undefined} onClick={() => go(cursors.slice(0, -1))}>
        Previous
      </Button>
      <span className="muted">Page {cursors.length + 1}</span>
      <Button disabled={next === null} onClick={() => next !== null && go([...cursors, next])}>
        Next
      </Button>
    </nav>
  )
  return { list, pager }
}
