import { useEffect, useState } from 'react'
import type { Approval } from '../../../src/client/index.ts'
import { client, wordsOf } from '../api/client.ts'
import { Problem } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { refresh } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { toNextAsk } from './ask-focus.ts'

/** Approves what is shown at once, after one more question. What is dangerous is decided by itself. */
export function ApproveAll({ shown }: { shown: readonly Approval[] }) {
  // What comes while the list is open is not in it.
  const [listed, setListed] = useState<readonly Approval[] | 'done'>()
  const together = shown.filter(({ isQuestion, display }) => !isQuestion && !display.isDangerous)
  useEffect(() => {
    if (listed === 'done') toNextAsk()
  }, [listed])
  return (
    <>
      {together.length > 1 && (
        <Button icon="check" onClick={() => setListed(together)}>
          Approve all {together.length} shown…
        </Button>
      )}
      {listed && listed !== 'done' && (
        <ApproveDialog
          listed={listed}
          others={shown.length - together.length}
          onClose={(isDone) => setListed(isDone ? 'done' : undefined)}
        />
      )}
    </>
  )
}

interface ApproveDialogProps {
  readonly listed: readonly Approval[]
  readonly others: number
  readonly onClose: (isDone: boolean) => void
}

function ApproveDialog({ listed, others, onClose }: ApproveDialogProps) {
  const [left, setLeft] = useState(listed)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const close = (): void => onClose(false)
  const approve = async (): Promise<void> => {
    setBusy(true)
    const failed: Approval[] = []
    for (const one of left)
      await client.decide(one.id, { decision: 'approve' }).catch((error: unknown) => {
        failed.push(one)
        setProblem(wordsOf(error))
      })
    refresh('/api/approvals')
    setLeft(failed)
    setBusy(false)
    if (failed.length === 0) onClose(true)
  }
  return (
    <Dialog title={`Approve ${left.length === 1 ? 'this call' : `these ${left.length} calls`}?`} onClose={close}>
      <ol className="conv-together">
        {left.map(({ id, tool, display }) => (
          <li key={id}>
            <VisibleText as="strong" text={tool} />{' '}
            <VisibleText as="span" className="conv-ask-target" text={display.target} />
          </li>
        ))}
      </ol>
      <p className="muted">
        Each is done once, exactly as its card shows it. Nothing else is approved
        {others > 0 && `: ${others} of what waits has to be looked at by itself`}.
      </p>
      <Problem text={problem} />
      <div className="row wrap" onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
        <Button onClick={close}>Not now</Button>
        <Button kind="primary" icon="check" disabled={isBusy} onClick={() => void approve()}>
          Approve {left.length === 1 ? 'it' : `these ${left.length}`}
        </Button>
      </div>
    </Dialog>
  )
}
