import { useState, type ReactNode } from 'react'
import type { MeView, WorkflowRun } from '../../../../src/client/index.ts'
import type { Json } from '../../../../src/contract/message.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBox } from '../../parts/code-box.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { moment, timeOf } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Question } from '../../parts/question.tsx'
import { may } from '../../state/may.ts'
import { usePolled } from '../../state/polled.ts'
import { hrefOf } from '../../state/route.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { visibleText } from '../../text/visible.ts'
import { Field } from '../field.tsx'
import { hrefWith } from '../filters.ts'
import { Loading, Stale } from '../list-states.tsx'
import { Section } from '../parts.tsx'
import { RunState } from './automation-state.tsx'
import { api, hrefOfWorkflow, MANAGE, ORIGINS, thenRefresh } from './automation.ts'
import { tookWords } from './run-list.tsx'

/** One run of a workflow: how it went, what went in and what came out. */
export function OneRun({ id, me }: { id: string; me: MeView }) {
  const { value: run, error } = usePolled<WorkflowRun>(`/api/invocations/${encodeURIComponent(id)}`, 2000)
  return (
    <>
      <a href={hrefWith('workflows', { view: 'runs' })}>All runs</a>
      {error !== undefined && (run ? <Stale error={error} /> : <Problem text={error} />)}
      {run ? <Shown run={run} manages={may(me, MANAGE)} /> : error === undefined && <Loading />}
    </>
  )
}

function Shown({ run, manages }: { run: WorkflowRun; manages: boolean }) {
  const { workflow, workflowId, status, code, error, nextAt, until, key } = run
  const isOpen = status === 'pending' || status === 'running'
  return (
    <>
      <h2 className="op-prompt-title row wrap">
        <a href={hrefOfWorkflow(workflowId)}>
          <VisibleText text={workflow} />
        </a>
        <RunState status={status} />
      </h2>
      <Facts {...run} />
      {error !== undefined && (
        <p className="op-note-line">
          <VisibleText text={error} spaces="prose" /> {code !== undefined && <code>{code}</code>}
        </p>
      )}
      {isOpen && (
        <p className="op-note">
          {nextAt === undefined ? 'Its result' : `It is sent next at ${timeOf(nextAt)}, and its result`} is waited for
          until {timeOf(until)} at most.
        </p>
      )}
      {isOpen && <Cancel run={run} />}
      {(status === 'unknown' || status === 'timeout') && (manages ? <Settle run={run} /> : <Ask run={run} />)}
      <Shape title="Input" value={run.input} none="It was erased with its conversation or its user." />
      {run.output !== undefined && <Shape title="Output" value={run.output} />}
      {run.raw !== undefined && (
        <Shape title="What it answered" value={run.raw}>
          <p className="muted">As it came: it could not be read, or does not fit the output.</p>
        </Shape>
      )}
      <Section title="Key">
        <p className="muted op-note">
          It is sent with every attempt, so that the workflow can tell a repetition.{' '}
          <code className="op-break">{visibleText(key)}</code> <CopyButton label="Copy the key" text={() => key} />
        </p>
      </Section>
    </>
  )
}

function Facts({ origin, sessionId, attempts, depth, engineRef, createdAt, startedAt, endedAt }: WorkflowRun) {
  return (
    <p className="muted op-facts row wrap">
      <span>
        started by{' '}
        {sessionId === undefined ? (
          ORIGINS[origin]
        ) : (
          <a href={hrefOf({ page: 'session', id: sessionId })}>{ORIGINS[origin]}</a>
        )}
      </span>
      <span>{attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>
      {depth > 1 && <span>{depth} automations led to it</span>}
      {startedAt === undefined ? <span>made {moment(createdAt)}</span> : <span>handed over {moment(startedAt)}</span>}
      {endedAt !== undefined && (
        <span>
          ended {moment(endedAt)}, after {tookWords(startedAt, endedAt)}
        </span>
      )}
      {engineRef !== undefined && (
        <span>
          there called <VisibleText text={engineRef} />
        </span>
      )}
    </p>
  )
}

/** A value as JSON, or as the text it is. */
function Shape({ title, value, none, children }: ShapeProps) {
  return (
    <Section title={title}>
      {children}
      {value === undefined ? (
        <p className="muted">{none}</p>
      ) : (
        <CodeBox label={title} content={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
      )}
    </Section>
  )
}

interface ShapeProps {
  readonly title: string
  readonly value: Json | undefined
  readonly none?: string
  readonly children?: ReactNode
}

function Cancel({ run: { id, workflow } }: { run: WorkflowRun }) {
  const [isAsking, ask] = useState(false)
  return (
    <div className="op-actions">
      <Button icon="stop" onClick={() => ask(true)}>
        Cancel…
      </Button>
      {isAsking && (
        <Question
          title={`Cancel this run of ${visibleText(workflow)}?`}
          keep="Let it run"
          go="Cancel the run"
          icon="stop"
          run={() => thenRefresh(api.cancelRun(id))}
          onClose={() => ask(false)}
        >
          <p>What was handed over is stopped where its engine can do that; else its outcome is unknown.</p>
        </Question>
      )}
    </div>
  )
}

const LOOK = 'Segno did not see it end, and does not do it again by itself. Look where it acts'

/** Nobody knows what became of it; who manages workflows can say. */
function Settle({ run: { id, workflow, callId } }: { run: WorkflowRun }) {
  const [text, write] = useState('')
  const [problem, attempt] = useAttempt()
  const say = (happened: boolean): void => {
    const said = text.trim()
    const what = said === '' ? {} : happened ? { output: readOutput(said) } : { error: said }
    void attempt(thenRefresh(api.reportRun(id, { status: happened ? 'success' : 'failure', ...what })))
  }
  return (
    <section className="op-card loud" aria-label="Unknown outcome">
      <h3>
        <Icon name="question" />
        <span>
          Did <VisibleText text={workflow} /> happen?
        </span>
      </h3>
      <p>
        {LOOK}, then say what you found{callId === undefined ? '.' : ': its conversation is told.'}
      </p>
      <div className="op-settle column">
        <Field label="What it returned, as JSON or in words, or why it did not (optional)">
          {(at) => (
            <textarea
              id={at}
              className="input"
              rows={2}
              maxLength={10_000}
              value={text}
              onChange={(event) => write(event.target.value)}
            />
          )}
        </Field>
        <div className="row wrap">
          <Button icon="check" onClick={() => say(true)}>
            It happened
          </Button>
          <Button icon="cross" onClick={() => say(false)}>
            It did not happen
          </Button>
        </div>
        <Problem text={problem} />
      </div>
    </section>
  )
}

function Ask({ run: { sessionId } }: { run: WorkflowRun }) {
  return (
    <section className="op-card loud" aria-label="Unknown outcome">
      <p>
        {LOOK}.{' '}
        {sessionId === undefined ? (
          'Whoever has the permission workflow:manage can say what became of it.'
        ) : (
          <a href={hrefOf({ page: 'session', id: sessionId })}>Say in its conversation what became of it.</a>
        )}
      </p>
    </section>
  )
}

function readOutput(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
