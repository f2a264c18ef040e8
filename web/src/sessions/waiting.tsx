import { useState } from 'react'
import type { Approval, Page } from '../api/shapes.ts'
import { ago } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { usePolled } from '../state/polled.ts'
import { hrefOf } from '../state/route.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { useMayRead } from './session-list-state.ts'

/** What waits for a decision. */
export function useWaiting(): readonly Approval[] {
  const path = useMayRead() ? '/api/approvals?status=pending' : null
  return usePolled<Page<Approval>>(path, 4000).value?.items ?? []
}

/** One line that says how much waits for a person, and unfolds into where. */
export function Waiting() {
  const waiting = useWaiting()
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
