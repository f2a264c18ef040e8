import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Approval, Decision } from '../../../src/client/index.ts'
import { client, wordsOf } from '../api/client.ts'
import { Button } from '../parts/button.tsx'
import { roughly } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { refresh } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { isAskWanted, leaveAsk } from './ask-focus.ts'
import { AskShown } from './ask-shown.tsx'
import { QuestionForm } from './question-form.tsx'
import { ASK_KEY } from './round-words.ts'
import { useNow } from './use-now.ts'

/**
 * What a person is asked, whole, and the buttons that answer it. Enter does nothing in it: who is typing when it
 * appears must not approve by accident.
 */
export function AskCard({ approval }: { approval: Approval }) {
  const [given, setGiven] = useState<Decision['decision']>()
  const [problem, setProblem] = useState('')
  const [reason, setReason] = useState('')
  const card = useRef<HTMLElement>(null)
  const approve = useRef<HTMLButtonElement>(null)
  /** the card itself was reached with the keyboard: only then its letters decide */
  const isByKeys = useRef(false)
  const hint = useId()
  const covers = useId()
  const { display, isQuestion, rememberable } = approval
  const { shown, isDangerous } = display
  const tool = visibleText(approval.tool)

  // A composer that comes with it takes the keyboard before that.
  useEffect(() => {
    if (isAskWanted()) card.current?.focus()
  }, [])
  useLayoutEffect(() => {
    const own = card.current
    return () => leaveAsk(own)
  }, [])
  const answer = async (with_: Decision): Promise<void> => {
    if (given) return
    setGiven(with_.decision)
    setProblem('')
    try {
      await client.decide(approval.id, with_)
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
      className={isDangerous ? 'conv-ask conv-ask-danger column' : 'conv-ask column'}
      role="group"
      aria-label={isQuestion ? `Question of ${tool}` : `Approval of ${tool}`}
      aria-describedby={hint}
      tabIndex={0}
      data-item
      data-ask={given ? 'given' : 'waits'}
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
        if (event.key === 'a' || event.key === 'A')
          if (isDangerous) approve.current?.focus()
          else void answer({ decision: 'approve' })
        else if (event.key === 'd' || event.key === 'D') void deny()
        else return
        event.preventDefault()
      }}
    >
      <header className="conv-ask-head row wrap">
        <Icon name={isDangerous ? 'warn' : 'question'} />
        {isDangerous && <strong className="conv-ask-tone">{isCommand(shown) ? 'Dangerous' : 'Look closely'}</strong>}
        <strong>{isQuestion ? `${tool} asks you` : `May Segno use ${tool}?`}</strong>
        <Expiry at={approval.expiresAt} />
      </header>
      {display.warnings.map((warning) => (
        <p key={warning} className="row danger">
          <Icon name="warn" /> <VisibleText text={warning} />
        </p>
      ))}
      {isQuestion ? (
        <QuestionForm args={approval.args} isBusy={given !== undefined} answer={(one) => void answer(one)} />
      ) : (
        <>
          {shown.kind === 'fields' && display.target !== '' && !display.target.startsWith('{') && (
            <VisibleText as="p" className="conv-ask-target" text={display.target} />
          )}
          <AskShown tool={tool} shown={shown} args={display.args} />
          <p className="muted">
            Why you are asked: <VisibleText text={approval.reason} />.
          </p>
          <div className="row wrap">
            <Button
              ref={approve}
              kind={isDangerous ? 'danger' : 'primary'}
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
                For this conversation
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
              “For this conversation” covers <VisibleText text={display.remembers} />.
            </p>
          )}
        </>
      )}
      <p className="conv-ask-hint conv-ask-keys muted" id={hint}>
        {isQuestion
          ? 'Enter does not answer. Use the buttons.'
          : `Enter does not approve. ${ASK_KEY} comes to this card; then ${isDangerous ? 'A goes to the button, which Space presses' : 'A approves'}, D denies.`}
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

const isCommand = (shown: Approval['display']['shown']): boolean => shown.kind === 'command' && shown.dangers.length > 0

function Expiry({ at }: { at: string }) {
  const now = useNow(10_000)
  const leftMs = Date.parse(at) - now
  return <span className="muted conv-ask-expiry">{leftMs > 0 ? `${roughly(leftMs)} left` : 'expired'}</span>
}
