import type { Page, WorkflowRun } from '../../../../src/client/index.ts'
import { ago, moment } from '../../parts/format.ts'
import { usePolled } from '../../state/polled.ts'
import { RunState } from './automation-state.tsx'
import { hrefOfRun } from './automation.ts'

/** The newest runs of all. */
export const useLastRuns = (): readonly WorkflowRun[] =>
  usePolled<Page<WorkflowRun>>('/api/invocations?limit=100', 5000).value?.items ?? []

export function LastRun({ run }: { run: WorkflowRun | undefined }) {
  if (!run) return <span className="muted">–</span>
  return (
    <span className="row wrap">
      <RunState {...run} />
      <a href={hrefOfRun(run.id)} title={moment(run.createdAt)}>
        {ago(run.createdAt)}
      </a>
    </span>
  )
}
