import { Button } from '../parts/button.tsx'
import { usePendingAsks } from '../state/pending-asks.ts'
import { ApproveAll } from './approve-all.tsx'
import { toFirstAsk } from './ask-focus.ts'
import { ASK_KEY } from './round-words.ts'

/** Above the composer: how much of this conversation waits for a decision, and the ways to it. */
export function WaitingHere({ sessionId }: { sessionId: string }) {
  const waiting = (usePendingAsks().value?.items ?? []).filter((one) => one.sessionId === sessionId)
  return (
    <div className="conv-waiting row wrap" role="group" aria-label="Waiting here" hidden={waiting.length === 0}>
      <Button icon="question" title={`Go to what waits (${ASK_KEY})`} onClick={() => toFirstAsk(waiting)}>
        {waiting.length === 1 ? '1 call waits' : `${waiting.length} calls wait`} for you <kbd>{ASK_KEY}</kbd>
      </Button>
      <ApproveAll shown={waiting} />
    </div>
  )
}
