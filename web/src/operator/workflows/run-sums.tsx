import type { RunCounts } from '../../../../src/client/index.ts'
import { duration, moment } from '../../parts/format.ts'
import { hrefWith } from '../filters.ts'
import { State } from '../parts.tsx'
import { RUNS } from './automation.ts'

/** In the order in which people ask. */
const STATUSES = ['success', 'failure', 'timeout', 'unknown', 'running', 'pending'] as const

/** Of several runs. */
const MANY: Readonly<Partial<Record<(typeof STATUSES)[number], string>>> = { running: 'running', pending: 'not begun' }

/** How the last runs went; each number leads to its runs. */
export function Sums({ id, runs }: { id: string; runs: RunCounts }) {
  const { since, medianMs } = runs
  const shown = STATUSES.filter((status) => runs[status] > 0)
  if (shown.length === 0) return null
  return (
    <p className="row wrap flow-sums">
      <span className="muted">Since {moment(since)}:</span>
      {shown.map((status) => {
        const [words, icon, tone] = RUNS[status]
        const many = MANY[status] ?? words
        return (
          <a key={status} href={hrefWith('workflows', { view: 'runs', workflowId: id, status })}>
            <State icon={icon} tone={tone}>
              {runs[status]} {many}
            </State>
          </a>
        )
      })}
      {medianMs !== undefined && <span className="muted">half took less than {duration(medianMs)}</span>}
    </p>
  )
}
