import { useState } from 'react'
import type { MeView, Workflow } from '../../../../src/client/index.ts'
import { Problem } from '../../parts/attempt.tsx'
import { CodeBox } from '../../parts/code-box.tsx'
import { Fold } from '../../parts/fold-button.tsx'
import { duration, moment, money } from '../../parts/format.ts'
import { may } from '../../state/may.ts'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { hrefWith } from '../filters.ts'
import type { Body, DataField } from '../form/data-field.ts'
import { DataForm } from '../form/data-form.tsx'
import { Loading, Stale } from '../list-states.tsx'
import { Section } from '../parts.tsx'
import { Actions } from './automation-actions.tsx'
import { Status } from './automation-state.tsx'
import { api, hrefOfRun, MANAGE, mayCall, placeOf, thenRefresh } from './automation.ts'
import { flatFields } from './flat-fields.ts'
import { APPROVALS, EFFECTS } from './workflow-fields.ts'
import { RunList } from './run-list.tsx'
import { Sums } from './run-sums.tsx'

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
        {workflow.runs && <Sums id={id} runs={workflow.runs} />}
        <RunList workflowId={id} isOne />
      </Section>
    </>
  )
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
        {effect}: {EFFECTS[effect]}
      </span>
      {cost !== undefined && <span>costs {money(cost)} a run</span>}
      {quota !== undefined && <span>at most {quotaWords(quota)}</span>}
      {approval !== undefined && <span>{APPROVALS[approval]}</span>}
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

/** Starts a run by hand; the same form sent twice is one run. */
function Start({ workflow: { id, input, effect } }: { workflow: Workflow }) {
  const flat = flatFields(input)
  const [body, write] = useState<Body>(() => (flat ? {} : exampleOf(input)))
  return (
    <Section title="Start a run">
      <DataForm
        label="Start a run"
        go="Start"
        icon="play"
        fieldsOf={() => flat ?? AS_JSON}
        body={body}
        write={write}
        send={async (given, idempotencyKey) => {
          const { id: runId } = await thenRefresh(api.invoke(id, { input: given, idempotencyKey }))
          location.hash = hrefOfRun(runId)
        }}
      >
        {effect !== 'pure' && <p className="muted op-note">It really runs, with all its effects.</p>}
      </DataForm>
    </Section>
  )
}

const AS_JSON: readonly DataField[] = [{ path: '', label: 'Input, as JSON', kind: 'json', needed: true }]

/** Every property that it needs, to be filled in. */
function exampleOf(schema: Workflow['input']): Body {
  const { required } = schema
  return Object.fromEntries(Array.isArray(required) ? required.map((name) => [String(name), '']) : [])
}
