import { useEffect, useState } from 'react'
import { IconButton } from '../parts/button.tsx'
import type { Followed } from '../state/follow-session.ts'
import { useStore } from '../state/store.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { trouble } from './trouble.ts'

/** A break this short is not worth a word. */
const QUIET_MS = 600
const LONG_MS = 5000

/** How the way to the server is, and what did not work. It lies over the text and moves nothing. */
export function StatusLine({ status }: { status: Followed['status'] }) {
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
      {problem !== '' && (
        <p className="conv-status-line conv-status-problem">
          <VisibleText text={problem} />
          <IconButton label="Close this message" icon="cross" onClick={() => trouble.set('')} />
        </p>
      )}
    </div>
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
