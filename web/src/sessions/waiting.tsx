import { useState } from 'react'
import { ago } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { usePendingAsks } from '../state/pending-asks.ts'
import { hrefOf } from '../state/route.ts'
import { VisibleText } from '../text/visible-text.tsx'

/** One line that says how much waits for a person, and unfolds into where. */
export function Waiting() {
  const waiting = usePendingAsks().value?.items ?? []
  const [isOpen, setOpen] = useState(false)
  if (waiting.length === 0) return null
  return (
    <section className="side-waiting" aria-label="Waiting for you">
      <button type="button" className="side-waiting-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="question" />
        <span>Waiting for you</span>
        <span className="side-badge">{waiting.length}</span>
        <Icon name={isOpen ? 'down' : 'right'} size={14} />
      </button>
      {isOpen && (
        <ul className="side-rows">
          {waiting.map((approval) => (
            <li key={approval.id}>
              <a className="side-ask" href={hrefOf({ page: 'session', id: approval.sessionId })}>
                <strong>
                  <VisibleText text={approval.tool} />
                </strong>
                <span className="muted"> {ago(approval.requestedAt)}</span>
                <span className="side-target">
                  <VisibleText text={approval.display.target} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
