import type { Workflow } from '../../../../src/client/index.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Choice } from '../field.tsx'
import { hrefWith, queryOf, type Filters } from '../filters.ts'
import { Nothing, PolledList } from '../list-states.tsx'
import { usePages } from '../pager.tsx'
import { Table, type Column } from '../table.tsx'
import { AddButton } from './add-button.tsx'
import { Status } from './automation-state.tsx'
import { hrefOfWorkflow, STATUS } from './automation.ts'
import { Empty } from './empty.tsx'
import { LastRun, useLastRuns } from './last-run.tsx'

const COLUMNS: readonly Column<Workflow>[] = [
  [
    'Name',
    ({ id, name, description }) => (
      <>
        <a href={hrefOfWorkflow(id)}>
          <VisibleText text={name} />
        </a>
        <VisibleText as="span" className="muted" text={description} />
      </>
    ),
    'op-wide op-name',
  ],
  ['Engine', ({ engine }) => engine, 'op-number'],
  ['Effect', ({ effect }) => effect, 'op-number'],
  ['Status', (workflow) => <Status {...workflow} />, 'op-wide'],
]

/** All workflows that are registered, and how each ran last. */
export function WorkflowList({ manages, filters }: { manages: boolean; filters: Filters }) {
  const { status = '' } = filters
  const { list, pager } = usePages<Workflow>(`/api/workflows?${queryOf({ status, limit: '50' })}`, 5000)
  const runs = useLastRuns()
  const last: Column<Workflow> = [
    'Last run',
    ({ id }) => <LastRun run={runs.find(({ workflowId }) => workflowId === id)} />,
    'op-number',
  ]
  const lately: Column<Workflow> = [
    'Succeeded lately',
    ({ id }) => {
      const ended = runs.filter(({ workflowId, endedAt }) => workflowId === id && endedAt !== undefined)
      const good = ended.filter(({ status }) => status === 'success')
      return ended.length === 0 ? '–' : `${good.length} of ${ended.length}`
    },
    'op-number',
  ]
  return (
    <>
      <p className="op-lead muted">
        Processes outside of Segno that the assistant starts and waits for. Nothing is started twice.
      </p>
      <div className="op-filters">
        <Choice
          tab="workflows"
          filters={filters}
          label="Status"
          name="status"
          options={[['', 'Any status'], ...Object.entries(STATUS).map(([name, [words]]) => [name, words] as const)]}
        />
        {manages && <AddButton route="workflows" />}
      </div>
      <PolledList
        list={list}
        empty={
          status === '' ? (
            <Empty route="workflows" manages={manages} />
          ) : (
            <Nothing icon="search">
              No workflow has this status. <a href={hrefWith('workflows')}>Show all</a>
            </Nothing>
          )
        }
      >
        {(items) => <Table columns={[...COLUMNS, last, lately]} items={items} keyOf={({ id }) => id} />}
      </PolledList>
      {pager}
    </>
  )
}
