import type { Page, Workflow, WorkflowRun } from '../../../../src/client/index.ts'
import { ago, duration, moment } from '../../parts/format.ts'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Choice } from '../field.tsx'
import { hrefWith, queryOf, type Filters } from '../filters.ts'
import { Nothing, PolledList } from '../list-states.tsx'
import { usePages } from '../pager.tsx'
import { Table, type Column } from '../table.tsx'
import { RunState } from './automation-state.tsx'
import { hrefOfRun, ORIGINS, RUNS } from './automation.ts'

const WORKFLOW: Column<WorkflowRun> = ['Workflow', ({ workflow }) => <VisibleText text={workflow} />, 'flow-name']
const COLUMNS: readonly Column<WorkflowRun>[] = [
  [
    'Status',
    (run) => (
      <>
        <RunState {...run} />
        {run.error !== undefined && <VisibleText as="span" className="muted op-clamp" text={run.error} />}
      </>
    ),
    'op-wide',
  ],
  ['Started by', ({ origin }) => ORIGINS[origin], 'op-number'],
  ['Attempts', ({ attempts }) => attempts, 'op-number'],
  ['Took', ({ startedAt, endedAt }) => tookWords(startedAt, endedAt), 'op-number'],
]

export const tookWords = (from: string | undefined, to: string | undefined): string =>
  from === undefined || to === undefined ? '–' : duration(Date.parse(to) - Date.parse(from))

/** All runs, by workflow and status. */
export function Runs({ filters }: { filters: Filters }) {
  const workflows = usePolled<Page<Workflow>>('/api/workflows?limit=200', 10_000).value?.items ?? []
  const given = { tab: 'workflows', filters }
  return (
    <>
      <p className="op-lead muted">
        Each run is stored with its key before anything is sent, so that nothing happens twice.
      </p>
      <div className="op-filters">
        <Choice
          {...given}
          label="Workflow"
          name="workflowId"
          options={[['', 'All workflows'], ...workflows.map(({ id, name }) => [id, name] as const)]}
        />
        <Choice
          {...given}
          label="Status"
          name="status"
          options={[['', 'Any status'], ...Object.entries(RUNS).map(([name, [words]]) => [name, words] as const)]}
        />
      </div>
      <RunList workflowId={filters['workflowId'] ?? ''} status={filters['status'] ?? ''} />
    </>
  )
}

/** Runs, newest first. */
export function RunList({ workflowId, status = '', isOne }: { workflowId: string; status?: string; isOne?: true }) {
  const { list, pager } = usePages<WorkflowRun>(
    `/api/invocations?${queryOf({ workflowId, status, limit: '50' })}`,
    3000,
  )
  const columns: readonly Column<WorkflowRun>[] = [
    [
      'When',
      ({ id, createdAt }) => (
        <a href={hrefOfRun(id)} title={moment(createdAt)}>
          {ago(createdAt)}
        </a>
      ),
      'op-number',
    ],
    ...(isOne ? [] : [WORKFLOW]),
    ...COLUMNS,
  ]
  const isFiltered = !isOne && (workflowId !== '' || status !== '')
  return (
    <>
      <PolledList
        list={list}
        empty={
          isFiltered ? (
            <Nothing icon="search">
              No run fits these filters. <a href={hrefWith('workflows', { view: 'runs' })}>Show all</a>
            </Nothing>
          ) : (
            <Nothing icon="clock">{isOne ? 'It has not run yet.' : 'Nothing was started yet.'}</Nothing>
          )
        }
      >
        {(items) => <Table columns={columns} items={items} keyOf={({ id }) => id} />}
      </PolledList>
      {pager}
    </>
  )
}
