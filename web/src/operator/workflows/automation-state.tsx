import type { WorkflowRun } from '../../../../src/client/index.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { State } from '../parts.tsx'
import { RUNS, STATUS, type Shown } from './automation.ts'

/** Whether it is used, and why not. */
export function Status({ status, reason }: Pick<Shown, 'status' | 'reason'>) {
  const [words, icon, tone] = STATUS[status]
  return (
    <State icon={icon} tone={tone}>
      {words}
      {reason !== undefined && (
        <>
          : <VisibleText text={reason} />
        </>
      )}
    </State>
  )
}

/** How a run or a delivery is. */
export function RunState({ status }: Pick<WorkflowRun, 'status'>) {
  const [words, icon, tone] = RUNS[status]
  return (
    <State icon={icon} tone={tone}>
      {words}
    </State>
  )
}
