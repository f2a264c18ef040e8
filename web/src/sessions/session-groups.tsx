import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { useLasts } from '../conversation/use-now.ts'
import { Button } from '../parts/button.tsx'
import { useRoute } from '../state/route.ts'
import { groupByDay } from './group-by-day.ts'
import { useSessionList } from './session-list-state.ts'
import { SessionRow } from './session-row.tsx'

/** The conversations that fit a search, by day. Arrow keys move through them. */
export function SessionGroups({ search, archived = false }: { search: string; archived?: boolean }) {
  const list = useSessionList(search, archived)
  const route = useRoute()
  const currentId = route.page === 'session' ? route.id : undefined
  const isSlow = useLasts(list.isLoading, 200)
  const [stop, setStop] = useState<string>()

  if (list.items.length === 0) return <Nothing {...{ search, archived, isSlow }} {...list} />

  const reached = [stop, currentId].find((id) => list.items.some((session) => session.id === id)) ?? list.items[0]?.id
  return (
    <div
      className={list.isStale ? 'side-groups stale' : 'side-groups'}
      onKeyDown={moveByArrows}
      onFocus={(event) => setStop(event.target.closest<HTMLElement>('.side-row')?.dataset['session'])}
    >
      {groupByDay(list.items, Date.now()).map((group) => (
        <section key={group.name} aria-label={archived ? `Archived, ${group.name}` : group.name}>
          <h3 className="side-day">{group.name}</h3>
          <ul className="plain-list">
            {group.items.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isCurrent={session.id === currentId}
                isStop={session.id === reached}
              />
            ))}
          </ul>
        </section>
      ))}
      {list.next !== null && <More key={list.next} load={list.loadMore} />}
      {list.error !== undefined && <p className="side-note side-trouble">{list.error}</p>}
    </div>
  )
}

interface NothingProps {
  readonly search: string
  readonly archived: boolean
  readonly isSlow: boolean
  readonly isLoading: boolean
  readonly error?: string
}

function Nothing({ search, archived, isSlow, isLoading, error }: NothingProps) {
  if (error !== undefined) return <p className="side-note">{error}</p>
  if (isLoading)
    return isSlow ? (
      <div role="status" aria-label="Loading the conversations" className="side-loading">
        <div className="skeleton" />
        <div className="skeleton" />
        <div className="skeleton" />
      </div>
    ) : null
  if (search !== '') return <p className="side-note">No {archived ? 'archived ' : ''}title has these words.</p>
  return <p className="side-note">{archived ? 'Nothing is archived.' : 'No conversations yet. Say something.'}</p>
}

/** Loads the next page when it is scrolled into view. */
function More({ load }: { load: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useEffectEvent(load)
  useEffect(() => {
    const sight = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) latest()
    })
    if (box.current) sight.observe(box.current)
    return () => sight.disconnect()
  }, [])
  return (
    <div ref={box} className="side-more">
      <Button kind="quiet" onClick={load}>
        Show older ones
      </Button>
    </div>
  )
}

const linksIn = (element: Element): HTMLAnchorElement[] => [
  ...element.querySelectorAll<HTMLAnchorElement>('.side-link'),
]

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLAnchorElement)) return
  const links = linksIn(event.currentTarget)
  const now = links.indexOf(event.target)
  const place = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: links.length - 1 }[event.key]
  const next = place === undefined ? undefined : links[place]
  if (!next) return
  event.preventDefault()
  next.focus()
}
