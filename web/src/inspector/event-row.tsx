import { memo } from 'react'
import type { WireEvent } from '../../../src/client/index.ts'
import { Button } from '../parts/button.tsx'
import { CodeBox } from '../parts/code-box.tsx'
import { clock, moment } from '../parts/format.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { eventSummary } from './event-summary.ts'
import { CopyButton } from '../parts/copy-button.tsx'

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
          className="entry insp-event-head"
          aria-expanded={isOpen}
          tabIndex={isStop ? 0 : -1}
          onClick={onToggle}
        >
          <span className="insp-event-seq">{event.seq}</span>
          <time className="insp-event-time" dateTime={event.at} title={moment(event.at)}>
            {clock(event.at)}
          </time>
          <span className="insp-event-type">{event.type}</span>
          <VisibleText as="span" className="insp-event-words ellipsis" text={eventSummary(event)} />
        </button>
        {isOpen && <Whole event={event} onFork={onFork} />}
      </li>
    )
  },
  // The callbacks only depend on the event.
  (a, b) => a.event === b.event && a.top === b.top && a.isOpen === b.isOpen && a.isStop === b.isStop,
)

function Whole({ event, onFork }: { event: WireEvent; onFork: () => void }) {
  const json = JSON.stringify(event, null, 2)
  const rest = json.length - LONGEST
  return (
    <div className="insp-event-body">
      <div className="insp-event-acts row">
        <span className="muted">{moment(event.at)}</span>
        <Button icon="fork" onClick={onFork}>
          Fork from here
        </Button>
        <CopyButton label="Copy the event" text={() => json} />
      </div>
      <CodeBox label={`Event ${event.seq} as JSON`} content={json.slice(0, LONGEST)} />
      {rest > 0 && <p className="muted">{rest} characters more: copy the event to see them</p>}
    </div>
  )
}
