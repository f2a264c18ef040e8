import { memo, useId, useState } from 'react'
import type { CallStep } from '../log/round-picture.ts'
import { duration } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { CallDetails } from './call-details.tsx'
import { isInDoubt, numbersOf, shortArgs, stateOf } from './call-words.ts'
import { InDoubt } from './in-doubt.tsx'
import { PendingAsk } from './pending-ask.tsx'
import { useNow } from './use-now.ts'

interface CallProps {
  readonly requestId: string
  readonly call: CallStep
  /** its round has not ended */
  readonly isOpen: boolean
}

/** A call on one line: name, arguments, outcome. The rest unfolds. */
export const Call = memo(function Call({ requestId, call, isOpen }: CallProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const id = useId()
  const { icon, words, tone } = stateOf(call, isOpen)
  const asks = isOpen && call.approval?.status === 'pending' && !call.result
  return (
    <div className="conv-call" data-seq={call.seq}>
      <button
        type="button"
        className="conv-call-line row"
        aria-expanded={isUnfolded}
        aria-controls={isUnfolded ? id : undefined}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        <Icon name={isUnfolded ? 'down' : 'right'} size={12} />
        <VisibleText as="strong" className="conv-call-name ellipsis" text={call.name} />
        <VisibleText as="span" className="conv-call-args ellipsis" text={call.raw ?? shortArgs(call.args)} />
        <span className={`conv-call-state ${tone}`}>
          {icon === 'spinner' ? <span className="conv-spinner" aria-hidden="true" /> : <Icon name={icon} size={14} />}
          {words}
        </span>
        <span className="conv-call-numbers">
          {icon === 'spinner' ? <Elapsed since={call.startedAt ?? call.askedAt} /> : numbersOf(call).join(' · ')}
        </span>
      </button>
      {isUnfolded && (
        <div id={id}>
          <CallDetails requestId={requestId} call={call} isRunning={icon === 'spinner'} />
        </div>
      )}
      {isInDoubt(call) && <InDoubt call={call} />}
      {asks && call.approval && <PendingAsk approvalId={call.approval.id} />}
    </div>
  )
})

function Elapsed({ since }: { since: number }) {
  const now = useNow(1000)
  return <>{duration(Math.max(0, Math.floor((now - since) / 1000) * 1000)).replace('.0 s', ' s')}</>
}
