import { useState } from 'react'
import { ago } from '../parts/format.ts'
import { FoldButton } from '../parts/fold-button.tsx'
import { usePendingAsks } from '../state/pending-asks.ts'
import { hrefOf } from '../state/route.ts'
import { VisibleText } from '../text/visible-text.tsx'

/** How many approvals wait; unfolds to links to them. */
export function Waiting() {
  const waiting = usePendingAsks().value?.items ?? []
  const [isOpen, setOpen] = useState(false)
  if (waiting.length === 0) return null
  return (
    <section className="side-waiting" aria-label="Waiting for you">
      <FoldButton className="side-waiting-head" isOpen={isOpen} onToggle={setOpen}>
        <span>Waiting for you</span>
        <span className="side-badge">{waiting.length}</span>
      </FoldButton>
      {isOpen && (
        <ul className="plain-list">
          {waiting.map((approval) => (
            <li key={approval.id}>
              <a className="entry side-ask" href={hrefOf({ page: 'session', id: approval.sessionId })}>
                <VisibleText as="strong" text={approval.tool} />
                <span className="muted"> {ago(approval.requestedAt)}</span>
                <VisibleText as="span" className="side-target" text={approval.display.target} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
