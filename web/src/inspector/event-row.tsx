import { memo } from 'react'
import type { WireEvent } from '../api/shapes.ts'
import { Button } from '../parts/button.tsx'
import { clock, moment } from '../parts/format.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { eventSummary } from './event-summary.ts'
import { CopyButton } from './facts.tsx'

/** The most that is drawn of one event; the rest can be copied. */
const LONGEST = 20_000

interface Props {
  readonly event: WireEvent
  readonly top: number
  readonly isOpen: boolean
  readonly isStop: boolean
  readonly onToggle: () => void
  readonly onFork: () => void
}

export const EventRow = memo(
  function EventRow({ event, top, isOpen, isStop, onToggle, onFork }: Props) {
    return (
      <li className={isOpen ? 'insp-event open' : 'insp-event'} data-seq={event.seq} style={{ top }}>
        <button
          type="button"
          className="insp-event-head"
          aria-expanded={isOpen}
          tabIndex={isStop ? 0 : -1}
          onClick={onToggle}
        >
          <span className="insp-event-seq">{event.seq}</span>
          <time className="insp-event-time" dateTime={event.at} title={moment(event.at)}>
            {clock(event.at)}
          </time>
          <span className="insp-event-type">{event.type}</span>
          <span className="insp-event-words">
            <VisibleText text={eventSummary(event)} />
          </span>
        </button>
        {isOpen && <Whole event={event} onFork={onFork} />}
      </li>
    )
  },
  // What is done with an event is the same as long as the event is.
  (a, b) => a.event === b.event && a.top === b.top && a.isOpen === b.isOpen && a.isStop === b.isStop,
)

function Whole({ event, onFork }: { event: WireEvent; onFork: () => void }) {
  const json = JSON.stringify(event, null, 2)
  return (
    <div className="insp-event-body">
      <div className="insp-event-acts">
        <span className="muted">{moment(event.at)}</span>
        <Button icon="fork" onClick={onFork}>
          Fork from here
        </Button>
        <CopyButton label="Copy the event" text={json} />
      </div>
      <pre className="insp-json" tabIndex={0} aria-label={`Event ${event.seq} as JSON`}>
        <VisibleText text={json.slice(0, LONGEST)} />
        {json.length > LONGEST && `\n… and ${json.length - LONGEST} characters more: copy the event to see them`}
      </pre>
    </div>
  )
}
