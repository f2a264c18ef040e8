import { useState } from 'react'
import type { Page } from '../../../src/client/index.ts'
import { Button } from '../parts/button.tsx'
import { usePolled, type Polled } from '../state/polled.ts'

interface Paged<T> {
  readonly list: Polled<Page<T>>
  readonly pager: React.ReactNode
}

/** Polls one page of a list and draws the buttons to turn pages; `path` already has a query. */
export function usePages<T>(path: string, everyMs: number): Paged<T> {
  // Other filters start at the first page.
  const [place, setPlace] = useState<{ path: string; cursors: readonly string[] }>({ path, cursors: [] })
  const cursors = place.path === path ? place.cursors : []
  const go = (next: readonly string[]): void => setPlace({ path, cursors: next })
  const cursor = cursors.at(-1)
  const at = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
  const list = usePolled<Page<T>>(path + at, everyMs)
  const next = list.value?.next ?? null
  const pager = (cursor !== undefined || next !== null) && (
    <nav className="op-pager row" aria-label="Pages">
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
