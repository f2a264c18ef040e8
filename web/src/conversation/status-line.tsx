import { useEffect } from 'react'
import { keyState } from '../api/key.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { showKeyEntry } from '../sessions/overlay.ts'
import type { Followed } from '../state/follow-session.ts'
import { useStore } from '../state/store.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { trouble } from './trouble.ts'
import { useLasts } from './use-now.ts'

/** A shorter break is not shown. */
const QUIET_MS = 600
const LONG_MS = 5000
const BUSY_MS = 200

interface StatusLineProps {
  readonly status: Followed['status']
  readonly error?: string | undefined
  readonly again?: () => void
  /** earlier messages are being summarised */
  readonly isSummarising?: boolean
}

/** The state of the connection and the last error, drawn over the text so that nothing moves. */
export function StatusLine({ status, error, again, isSummarising = false }: StatusLineProps) {
  const problem = useStore(trouble)
  const isBroken = status === 'reconnecting'
  const isShown = useLasts(isBroken, QUIET_MS)
  const isLong = useLasts(isBroken, LONG_MS)
  const isBusy = useLasts(isSummarising && status === 'live', BUSY_MS)
  useEffect(() => () => trouble.set(''), [])
  return (
    <div className="conv-status" role="status">
      {isShown && (
        <p className="conv-status-line row">
          <span className="conv-spinner" aria-hidden="true" />
          {isLong
            ? 'Segno cannot be reached. What was stored is safe; what you write is kept and sent when it is back.'
            : 'Reconnecting… What was stored is safe, and so is what you write.'}
        </p>
      )}
      {isBusy && (
        <p className="conv-status-line row conv-status-busy">
          <span className="conv-spinner" aria-hidden="true" />
          Summarising earlier messages for the assistant…
        </p>
      )}
      {status === 'failed' && <Failed error={error ?? ''} again={again} />}
      {problem !== '' && (
        <p className="conv-status-line row conv-status-problem">
          <VisibleText text={problem} />
          <IconButton label="Close this message" icon="cross" onClick={() => trouble.set('')} />
        </p>
      )}
    </div>
  )
}

/** Shown when the connection is lost for good. */
function Failed({ error, again }: { error: string; again: (() => void) | undefined }) {
  const wantsKey = useStore(keyState).wanted !== ''
  return (
    <p className="conv-status-line row conv-status-problem">
      <span>
        What you see is no longer up to date. <VisibleText text={error} />
      </span>
      {wantsKey ? (
        <Button icon="key" onClick={showKeyEntry}>
          Enter a key
        </Button>
      ) : (
        <Button icon="retry" onClick={again}>
          Try again
        </Button>
      )}
    </p>
  )
}
