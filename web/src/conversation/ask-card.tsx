import { useId, useRef, useState } from 'react'
import { ask } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'
import type { Approval } from '../api/shapes.ts'
import { Button } from '../parts/button.tsx'
import { roughly } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { refresh } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { AskArgs } from './ask-args.tsx'
import { QuestionForm } from './question-form.tsx'
import { useNow } from './use-now.ts'

export interface Answer {
  readonly decision: 'approve' | 'deny'
  readonly remember?: 'session'
  readonly reason?: string
  readonly content?: object
}

/**
 * What a person is asked, whole, and the buttons that answer it. Enter does nothing in it: who is typing when it
 * appears must not approve by accident.
 */
export function AskCard({ approval }: { approval: Approval }) {
  const [given, setGiven] = useState<Answer['decision']>()
  const [problem, setProblem] = useState('')
  const [reason, setReason] = useState('')
  const card = useRef<HTMLElement>(null)
  /** the card itself was reached with the keyboard: only then its letters decide */
  const isByKeys = useRef(false)
  const hint = useId()
  const covers = useId()
  const { display, isQuestion, rememberable } = approval
  const tool = visibleText(approval.tool)

  const answer = async (with_: Answer): Promise<void> => {
    if (given) return
    const goesWith = keepFocus(card.current)
    setGiven(with_.decision)
    setProblem('')
    try {
      await ask('POST', `/api/approvals/${encodeURIComponent(approval.id)}`, with_)
      goesWith()
    } catch (error) {
      setProblem(wordsOf(error))
      setGiven(undefined)
    }
    refresh('/api/approvals')
  }
  const deny = (): Promise<void> => answer({ decision: 'deny', ...(reason.trim() !== '' && { reason: reason.trim() }) })

  return (
    <section
      ref={card}
      className="conv-ask"
      role="group"
      aria-label={isQuestion ? `Question of ${tool}` : `Approval of ${tool}`}
      aria-describedby={hint}
      tabIndex={0}
      data-item
      onFocus={(event) => {
        isByKeys.current = event.target === card.current && card.current.matches(':focus-visible')
      }}
      onPointerDown={() => {
        isByKeys.current = false
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
        if (event.target !== card.current || !isByKeys.current || isQuestion) return
        if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
        if (event.key === 'a' || event.key === 'A') void answer({ decision: 'approve' })
        else if (event.key === 'd' || event.key === 'D') void deny()
        else return
        event.preventDefault()
      }}
    >
      <header className="conv-ask-head">
        <Icon name="question" />
        <strong>{isQuestion ? `${tool} asks you` : `May Segno use ${tool}?`}</strong>
        <Expiry at={approval.expiresAt} />
      </header>
      {display.warnings.map((warning) => (
        <p key={warning} className="conv-ask-warning">
          <Icon name="warn" /> <VisibleText text={warning} />
        </p>
      ))}
      {isQuestion ? (
        <QuestionForm args={approval.args} isBusy={given !== undefined} answer={(one) => void answer(one)} />
      ) : (
        <>
          {display.target !== '' && (
            <p className="conv-ask-target">
              <VisibleText text={display.target} />
            </p>
          )}
          <AskArgs label={`Arguments of ${tool}`} text={display.args} />
          <p className="muted">
            Why you are asked: <VisibleText text={approval.reason} />.
          </p>
          <div className="conv-row">
            <Button
              kind="primary"
              icon="check"
              aria-disabled={given !== undefined}
              onClick={() => void answer({ decision: 'approve' })}
            >
              Approve
            </Button>
            <Button icon="cross" aria-disabled={given !== undefined} onClick={() => void deny()}>
              Deny
            </Button>
            {rememberable && (
              <Button
                aria-disabled={given !== undefined}
                aria-describedby={covers}
                onClick={() => void answer({ decision: 'approve', remember: 'session' })}
              >
                For this session
              </Button>
            )}
            <input
              className="input conv-ask-reason"
              aria-label="Reason for a denial"
              placeholder="Reason, if you deny (optional)"
              maxLength={1000}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </div>
          {rememberable && display.remembers !== undefined && (
            <p className="conv-ask-hint muted" id={covers}>
              “For this session” covers <VisibleText text={display.remembers} />.
            </p>
          )}
        </>
      )}
      <p className="conv-ask-hint muted" id={hint}>
        {isQuestion
          ? 'Enter does not answer. Use the buttons.'
          : 'Enter does not approve. With this card focused: A approves, D denies.'}
      </p>
      <p role="status" className={problem === '' ? 'sr-only' : 'danger'}>
        {problem === '' ? (
          given && `${given === 'approve' ? 'Approved' : 'Denied'}, being stored.`
        ) : (
          <VisibleText text={problem} />
        )}
      </p>
    </section>
  )
}

/** A card that is answered goes away, and the keyboard should not go with it. Call what it returns once it is answered. */
function keepFocus(card: HTMLElement | null): () => void {
  const home = card?.closest<HTMLElement>('article, [role=region]')
  const hadFocus = card?.contains(document.activeElement)
  return () => {
    const now = document.activeElement
    if (hadFocus && (now === document.body || card?.contains(now))) home?.focus({ preventScroll: true })
  }
}

function Expiry({ at }: { at: string }) {
  const now = useNow(10_000)
  const leftMs = Date.parse(at) - now
  return <span className="muted conv-ask-expiry">{leftMs > 0 ? `${roughly(leftMs)} left` : 'expired'}</span>
}
