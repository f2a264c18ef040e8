import { useEffect, useState } from 'react'
import { keyState } from '../api/key.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { showKeyEntry } from '../sessions/overlay.ts'
import type { Followed } from '../state/follow-session.ts'
import { useStore } from '../state/store.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { trouble } from './trouble.ts'

/** A break this short is not worth a word. */
const QUIET_MS = 600
const LONG_MS = 5000

/** How the way to the server is, and what did not work. It lies over the text and moves nothing. */
export function StatusLine({
  status,
  error,
  again,
}: {
  status: Followed['status']
  error?: string | undefined
  again?: () => void
}) {
  const problem = useStore(trouble)
  const isBroken = status === 'reconnecting'
  const since = useLasting(isBroken)
  useEffect(() => () => trouble.set(''), [])
  return (
    <div className="conv-status" role="status">
      {isBroken && since !== 'short' && (
        <p className="conv-status-line">
          <span className="conv-spinner" aria-hidden="true" />
          {since === 'long'
            ? 'Segno cannot be reached. What was stored is safe; what you write is kept and sent when it is back.'
            : 'Reconnecting… What was stored is safe, and so is what you write.'}
        </p>
      )}
      {status === 'failed' && <Failed error={error ?? ''} again={again} />}
      {problem !== '' && (
        <p className="conv-status-line conv-status-problem">
          <VisibleText text={problem} />
          <IconButton label="Close this message" icon="cross" onClick={() => trouble.set('')} />
        </p>
      )}
    </div>
  )
}

/** What is on the screen stays, and nothing comes any more. */
function Failed({ error, again }: { error: string; again: (() => void) | undefined }) {
  const wantsKey = useStore(keyState).wanted !== ''
  return (
    <p className="conv-status-line conv-status-problem">
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

function useLasting(is: boolean): 'short' | 'some' | 'long' {
  const [lasting, setLasting] = useState<'short' | 'some' | 'long'>('short')
  useEffect(() => {
    if (!is) return setLasting('short')
    const timers = [setTimeout(() => setLasting('some'), QUIET_MS), setTimeout(() => setLasting('long'), LONG_MS)]
    return () => timers.forEach(clearTimeout)
  }, [is])
  return lasting
}
