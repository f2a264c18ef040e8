import { useState } from 'react'
import type { MeView, Workflow } from '../../../../src/client/index.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBox } from '../../parts/code-box.tsx'
import { Fold } from '../../parts/fold-button.tsx'
import { duration, moment, money } from '../../parts/format.ts'
import { Form } from '../../parts/form.tsx'
import { may } from '../../state/may.ts'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { hrefWith } from '../filters.ts'
import { Loading, Stale } from '../list-states.tsx'
import { Section } from '../parts.tsx'
import { Actions } from './automation-actions.tsx'
import { Status } from './automation-state.tsx'
import { api, hrefOfRun, MANAGE, mayCall, placeOf, thenRefresh } from './automation.ts'
import { readJson } from './json-dialog.tsx'
import { JsonField } from './json-field.tsx'
import { RunList } from './run-list.tsx'

/** One workflow: what it is for, where it runs, and its runs. */
export function OneWorkflow({ id, me }: { id: string; me: MeView }) {
  const { value: workflow, error } = usePolled<Workflow>(`/api/workflows/${encodeURIComponent(id)}`, 5000)
  return (
    <>
      <a href={hrefWith('workflows')}>All workflows</a>
      {error !== undefined && (workflow ? <Stale error={error} /> : <Problem text={error} />)}
      {workflow ? <Shown workflow={workflow} me={me} /> : error === undefined && <Loading />}
    </>
  )
}

function Shown({ workflow, me }: { workflow: Workflow; me: MeView }) {
  const { id, name, description, input, output, status } = workflow
  return (
    <>
      <h2 className="op-prompt-title row wrap">
        <VisibleText text={name} /> <Status {...workflow} />
      </h2>
      <p className="op-lead">
        <VisibleText text={description} spaces="prose" />
      </p>
      <Facts {...workflow} />
      {may(me, MANAGE) && (
        <div className="op-actions">
          <Actions route="workflows" thing={workflow} name={name} signs={workflow.engine === 'http'} />
        </div>
      )}
      <Section title="What it takes and gives">
        <Fold head="Input">
          <CodeBox label="Schema of the input" content={input} />
        </Fold>
        {output === undefined ? (
          <p className="muted op-note">What it gives is not checked: it has no schema for its output.</p>
        ) : (
          <Fold head="Output">
            <CodeBox label="Schema of the output" content={output} />
          </Fold>
        )}
      </Section>
      {status !== 'disabled' && mayCall(me, workflow) && <Start workflow={workflow} />}
      <Section title="Runs">
        <RunList workflowId={id} isOne />
      </Section>
    </>
  )
}

const EFFECTS: Readonly<Record<string, string>> = {
  pure: 'changes nothing, so it may be repeated',
  keyed: 'does it once per key, so it may be repeated with it',
  verifiable: 'can be asked whether it happened',
  unsafe: 'is never repeated by itself',
}

function Facts(workflow: Workflow) {
  const { id, engine, target, effect, cost, quota, approval, timeoutMs, waitMs, createdBy, createdAt, updatedAt } =
    workflow
  return (
    <p className="muted op-facts row wrap">
      <span>
        {engine}: <VisibleText as="span" className="op-break" text={placeOf(workflow)} />
        {target.hasAuth && ', with a header'}
        {target.hasApiKey && ', with an API key'}
      </span>
      <span>
        {effect}: {EFFECTS[effect] ?? ''}
      </span>
      {cost !== undefined && <span>costs {money(cost)} a run</span>}
      {quota !== undefined && <span>at most {quotaWords(quota)}</span>}
      {approval !== undefined && <span>{APPROVALS[approval] ?? approval}</span>}
      {timeoutMs !== undefined && <span>handed over within {duration(timeoutMs)}</span>}
      {waitMs !== undefined && <span>waited for {duration(waitMs)} at most</span>}
      <span>
        made by <VisibleText text={createdBy} />, {moment(createdAt)}
      </span>
      {updatedAt !== createdAt && <span>changed {moment(updatedAt)}</span>}
      <span>
        id <code>{id}</code>
      </span>
    </p>
  )
}

const quotaWords = ({ perHour, concurrent }: NonNullable<Workflow['quota']>): string =>
  [
    ...(perHour === undefined ? [] : [`${perHour} an hour`]),
    ...(concurrent === undefined ? [] : [`${concurrent} at a time`]),
  ].join(', ')

const APPROVALS: Readonly<Record<string, string>> = {
  auto: 'without asking anybody',
  ask: 'somebody is asked',
  always: 'somebody is always asked',
}

/** Starts a run by hand; the same form sent twice is one run. */
function Start({ workflow: { id, input, effect } }: { workflow: Workflow }) {
  const [text, write] = useState(() => JSON.stringify(exampleOf(input), null, 2))
  const [once, setOnce] = useState(() => crypto.randomUUID())
  const [problem, attempt, setProblem] = useAttempt()
  const start = async (read: object): Promise<void> => {
    const { id: runId } = await thenRefresh(api.invoke(id, { input: read, idempotencyKey: once }))
    location.hash = hrefOfRun(runId)
  }
  return (
    <Section title="Start a run">
      <Form
        className="op-prompt-form column flow-try"
        label="Start a run"
        run={() => {
          const read = readJson(text)
          if (read === undefined) setProblem('The input is no JSON object.')
          else void attempt(start(read))
        }}
      >
        <JsonField
          label={effect === 'pure' ? 'Input, as JSON' : 'Input, as JSON. It really runs, with all its effects.'}
          rows={3}
          value={text}
          write={(now) => {
            write(now)
            setOnce(crypto.randomUUID())
          }}
        />
        <Problem text={problem} />
        <div className="row">
          <Button icon="play" type="submit">
            Start
          </Button>
        </div>
      </Form>
    </Section>
  )
}

/** Every property that it needs, to be filled in. */
function exampleOf(schema: Workflow['input']): object {
  const { required } = schema
  return Object.fromEntries(Array.isArray(required) ? required.map((name) => [String(name), '']) : [])
}
