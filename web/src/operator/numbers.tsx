import type { DoubtfulCall, MeView, Page, RoundSummary } from '../../../src/client/index.ts'
import type { UsageView } from '../../../src/contract/views.ts'
import { count, money } from '../parts/format.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { may } from '../state/may.ts'
import { usePendingAsks } from '../state/pending-asks.ts'
import { usePolled } from '../state/polled.ts'
import { hrefWith, type Filters } from './filters.ts'
import { Stale } from './list-states.tsx'

const HOUR = 3_600_000
const AT_WORK = { state: 'queued,running' }

/** The numbers that matter now; each leads to the page behind it. */
export function Numbers({ me }: { me: MeView }) {
  const all = may(me, 'user:read') ? '&all=1' : ''
  const open = usePolled<Page<RoundSummary>>(`/api/rounds?state=queued,running,waiting,paused&limit=200${all}`, 2000)
  const failed = usePolled<Page<RoundSummary>>(
    `/api/rounds?finishReason=error&since=${startOf(HOUR, HOUR)}&limit=200${all}`,
    5000,
  )
  const usage = usePolled<Page<UsageView>>(`/api/usage?since=${startOf(24 * HOUR)}${all}`, 5000)
  const asks = usePendingAsks()
  const unknown = usePolled<Page<DoubtfulCall>>('/api/calls?outcome=unknown', 5000)
  const inState = (...states: RoundSummary['state'][]): string =>
    howMany(open.value, ({ state }) => states.includes(state))
  const since = Date.now() - HOUR
  const lines = usage.value?.items ?? []
  const cost = lines.reduce((sum, line) => sum + line.cost, 0)
  const isUnpriced = lines.some((line) => line.usage.unpriced)
  const recent = howMany(failed.value, ({ endedAt = '' }) => Date.parse(endedAt) >= since)
  const error = open.error ?? usage.error
  return (
    <>
      {error !== undefined && <Stale error={error} />}
      <ul className="op-numbers" aria-label="Now">
        <Number icon="play" value={inState('running')} words="running" filters={AT_WORK} />
        <Number icon="clock" value={inState('queued')} words="queued" filters={AT_WORK} />
        <Number
          icon="pause"
          value={inState('waiting', 'paused')}
          words="waiting for people"
          filters={{ state: 'waiting,paused' }}
        />
        <Number icon="question" value={howMany(asks.value)} words="for you to decide" tab="approvals" tone="warn" />
        <Number icon="warn" value={howMany(unknown.value)} words="unknown outcomes" tab="unknown" tone="danger" />
        <Number
          icon="cross"
          value={recent}
          words="failed in the last hour"
          filters={{ finishReason: 'error', time: 'hour' }}
          tone="danger"
        />
        <Number
          icon="chart"
          value={usage.value ? money(cost, isUnpriced) : '…'}
          words="spent today (UTC)"
          filters={{ time: 'day' }}
        />
      </ul>
    </>
  )
}

interface NumberProps {
  readonly icon: IconName
  readonly value: string
  readonly words: string
  /** the page behind it */
  readonly tab?: string
  readonly filters?: Filters
  /** shown when it is not 0 */
  readonly tone?: 'warn' | 'danger'
}

function Number({ icon, value, words, tab = 'rounds', filters, tone }: NumberProps) {
  const isCalm = value === '0' || value === '…' || tone === undefined
  return (
    <li>
      <a className={isCalm ? 'op-tile' : `op-tile ${tone}`} href={hrefWith(tab, filters)}>
        <strong>{value}</strong>
        <span>
          <Icon name={icon} /> {words}
        </span>
      </a>
    </li>
  )
}

function howMany<T>(page: Page<T> | undefined, fits: (item: T) => boolean = () => true): string {
  if (!page) return '…'
  return `${count(page.items.filter(fits).length)}${page.next === null ? '' : '+'}`
}

/** The beginning of this hour or day (UTC), or of one before: it changes seldom, and so does what is asked for. */
const startOf = (unitMs: number, agoMs = 0): string =>
  new Date(Math.floor(Date.now() / unitMs) * unitMs - agoMs).toISOString()
