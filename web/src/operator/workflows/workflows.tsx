import { may } from '../../state/may.ts'
import { hrefWith, type PageProps } from '../filters.ts'
import { NotAllowed } from '../list-states.tsx'
import '../css/workflows.css'
import { AutomationList } from './automation-list.tsx'
import { MANAGE, VIEWS, type Route } from './automation.ts'
import { OneRun } from './one-run.tsx'
import { OneWorkflow } from './one-workflow.tsx'
import { Runs } from './run-list.tsx'
import { WorkflowList } from './workflow-list.tsx'

/** What runs outside of conversations. Who may only call workflows sees those, and their own runs. */
export function Workflows({ me, filters }: PageProps) {
  const { view = 'workflows', id } = filters
  const manages = may(me, MANAGE)
  if (!manages && !me.permissions.some((one) => one.startsWith('tool:'))) return <NotAllowed permission={MANAGE} />
  const shown = Object.entries(VIEWS).filter(([name]) => manages || name === 'workflows' || name === 'runs')
  return (
    <>
      <nav className="tabs flow-tabs" aria-label="Workflows">
        {shown.map(([name, words]) => (
          <a
            key={name}
            href={hrefWith('workflows', name === 'workflows' ? {} : { view: name })}
            aria-current={name === view ? 'page' : undefined}
          >
            {words}
          </a>
        ))}
      </nav>
      {view === 'workflows' && id && <OneWorkflow key={id} id={id} me={me} />}
      {view === 'workflows' && !id && <WorkflowList manages={manages} filters={filters} />}
      {view === 'runs' && id && <OneRun key={id} id={id} me={me} />}
      {view === 'runs' && !id && <Runs filters={filters} />}
      {view !== 'workflows' && view !== 'runs' && (
        <>
          {!manages && <NotAllowed permission={MANAGE} />}
          {manages && VIEWS[view] !== undefined && (
            <AutomationList key={view} me={me} route={view as Exclude<Route, 'workflows'>} />
          )}
          {manages && VIEWS[view] === undefined && <p>There is no such page. Choose one above.</p>}
        </>
      )}
    </>
  )
}
