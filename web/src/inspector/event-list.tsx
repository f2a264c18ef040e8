import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { WireEvent } from '../../../src/client/index.ts'
import { EventRow } from './event-row.tsx'
import { virtualRows } from './virtual-rows.ts'

/** Row height in pixels; fingers need more. The style sheet has the same numbers. */
const ROW = matchMedia('(pointer: coarse)').matches ? 40 : 32
const UNFOLDED = 300
/** Within this many pixels of the end, new events are scrolled to. */
const NEAR_END = 40

/** A list of events that draws only the visible ones. One can be unfolded. */
export function EventList({ events, onFork }: { events: readonly WireEvent[]; onFork: (seq: number) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const [openSeq, open] = useState<number>()
  const [reachedSeq, reach] = useState<number>()
  const takesFocus = useRef(false)

  const placeOf = (seq: number | undefined): number => events.findIndex((event) => event.seq === seq)
  const openAt = placeOf(openSeq)
  const rows = virtualRows(events.length, ROW, openAt, UNFOLDED)
  const reached = reachedSeq === undefined ? events.length - 1 : placeOf(reachedSeq)

  // At the end, follow new events; elsewhere, keep what is on the screen in its place.
  const known = useRef({ first: events[0]?.seq, isAtEnd: true })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const added = known.current.first === undefined ? 0 : placeOf(known.current.first)
    if (known.current.isAtEnd) element.scrollTop = element.scrollHeight
    else if (added > 0) element.scrollTop += added * ROW
    known.current.first = events[0]?.seq
    // oxlint-disable-next-line react/exhaustive-deps
  }, [events])

  useEffect(() => {
    const element = box.current
    if (!element) return
    const size = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }))
    size.observe(element)
    return () => size.disconnect()
  }, [])

  useEffect(() => {
    if (!takesFocus.current) return
    takesFocus.current = false
    box.current?.querySelector<HTMLElement>(`[data-seq="${reachedSeq}"] button`)?.focus({ preventScroll: true })
  }, [reachedSeq])

  const move = (to: number): void => {
    const event = events[Math.max(0, Math.min(events.length - 1, to))]
    if (!event || !box.current) return
    takesFocus.current = true
    reach(event.seq)
    box.current.scrollTop = rows.reveal(placeOf(event.seq), box.current.scrollTop, box.current.clientHeight)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest('pre')) return
    const far = Math.floor(view.height / ROW)
    const place = {
      j: reached + 1,
      ArrowDown: reached + 1,
      k: reached - 1,
      ArrowUp: reached - 1,
      PageDown: reached + far,
      PageUp: reached - far,
      Home: 0,
      End: events.length - 1,
    }[event.key]
    if (place === undefined) return
    event.preventDefault()
    event.stopPropagation()
    move(place)
  }

  const { first, end } = rows.seen(view.top, view.height)
  const drawn = new Set(Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index))
  // The row with the focus stays in the document wherever the list is scrolled.
  if (reached >= 0) drawn.add(reached)
  return (
    <div
      ref={box}
      className="insp-event-box"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        known.current.isAtEnd = scrollTop + clientHeight > scrollHeight - NEAR_END
        setView({ top: scrollTop, height: clientHeight })
      }}
      onKeyDown={onKeyDown}
    >
      {events.length === 0 && <p className="insp-note">There are none.</p>}
      <ul className="insp-event-list plain-list" aria-label="Events" style={{ height: rows.total }}>
        {[...drawn]
          .toSorted((a, b) => a - b)
          .map((index) => {
            const event = events[index]
            return (
              event && (
                <EventRow
                  key={event.seq}
                  event={event}
                  top={rows.top(index)}
                  isOpen={index === openAt}
                  isStop={index === reached}
                  onToggle={() => {
                    reach(event.seq)
                    known.current.isAtEnd = false
                    open(index === openAt ? undefined : event.seq)
                  }}
                  onFork={() => onFork(event.seq)}
                />
              )
            )
          })}
      </ul>
    </div>
  )
}
