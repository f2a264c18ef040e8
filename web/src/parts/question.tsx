import { useId, useState, type ReactNode } from 'react'
import { Problem, useAttempt } from './attempt.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import type { IconName } from './icon.tsx'

interface QuestionProps {
  readonly title: string
  /** the button that leaves everything as it is */
  readonly keep?: string
  /** the button that does it */
  readonly go: string
  readonly icon?: IconName
  readonly isHarmless?: boolean
  /** the label of a field for a reason; `needed`: not without one */
  readonly reason?: string
  readonly needed?: boolean
  /** false: it cannot be done yet */
  readonly isReady?: boolean
  readonly run: (reason: string) => Promise<unknown>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks once before something is done, does it, and says what went wrong. */
export function Question({
  title,
  keep = 'Cancel',
  go,
  icon,
  isHarmless = false,
  reason,
  needed = false,
  isReady = true,
  run,
  onClose,
  children,
}: QuestionProps) {
  const [problem, attempt] = useAttempt()
  const [why, setWhy] = useState('')
  const id = useId()
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {reason !== undefined && (
        <p>
          <label htmlFor={id}>{reason}</label>
          <textarea
            id={id}
            className="input"
            rows={2}
            maxLength={1000}
            value={why}
            onChange={(event) => setWhy(event.target.value)}
          />
        </p>
      )}
      <Problem text={problem} />
      <div className="answers row wrap">
        <Button onClick={onClose}>{keep}</Button>
        <Button
          kind={isHarmless ? 'primary' : 'danger'}
          {...(icon && { icon })}
          disabled={!isReady || (needed && why.trim() === '')}
          onClick={() => void attempt(run(why.trim())).then((isDone) => isDone && onClose())}
        >
          {go}
        </Button>
      </div>
    </Dialog>
  )
}
