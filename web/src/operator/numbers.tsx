import { useState } from 'react'
import type { UsageView } from '../../../src/contract/views.ts'
import type { DoubtfulCall, Me, Page, RoundSummary } from '../api/shapes.ts'
import { count, money } from '../parts/format.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { may } from '../state/me.ts'
import { usePendingAsks } from '../state/pending-asks.ts'
import { usePolled } from '../state/polled.ts'
import { hrefWith } from './filters.ts'
import { Stale } from './faces.tsx'

const HOUR = 3_600_000

/** The numbers that matter now; each leads to the page behind it. */
export function Numbers({ me }: { me: Me }) {
  const all = may(me, 'user:read') ? '&all=1' : ''
  const [hour, today] = useDay()
  const open = usePolled<Page<RoundSummary>>(`/api/rounds?state=queued,running,waiting,paused&limit=200${all}`, 2000)
  const failed = usePolled<Page<RoundSummary>>(`/api/rounds?finishReason=error&since=${hour}&limit=200${all}`, 5000)
  const usage = usePolled<Page<UsageView>>(`/api/usage?since=${today}${all}`, 5000)
  const asks = usePendingAsks()
  const unknown = usePolled<Page<DoubtfulCall>>('/api/calls?outcome=unknown', 5000)
  const inState = (state: RoundSummary['state']): string => howMany(open.value, (round) => round.state === state)
  const since = Date.now() - HOUR
  const lines = usage.value?.items ?? []
  const cost = lines.reduce((sum, line) => sum + line.cost, 0)
  const error = open.error ?? usage.error
  return (
    <>
      {error !== undefined && <Stale error={error} />}
      <ul className="op-numbers" aria-label="Now">
        <Number
          icon="play"
          value={inState('running')}
          words="running"
          to={hrefWith('rounds', { state: 'queued,running' })}
        />
        <Number
          icon="clock"
          value={inState('queued')}
          words="queued"
          to={hrefWith('rounds', { state: 'queued,running' })}
        />
        <Number
          icon="pause"
          value={howMany(open.value, ({ state }) => state === 'waiting' || state === 'paused')}
          words="waiting for people"
          to={hrefWith('rounds', { state: 'waiting,paused' })}
        />
        <Number
          icon="question"
          value={howMany(asks.value)}
          words="for you to decide"
          to={hrefWith('approvals')}
          tone="warn"
        />
        <Number
          icon="warn"
          value={howMany(unknown.value)}
          words="unknown outcomes"
          to={hrefWith('unknown')}
          tone="danger"
        />
        <Number
          icon="cross"
          value={howMany(failed.value, ({ endedAt = '' }) => Date.parse(endedAt) >= since)}
          words="failed in the last hour"
          to={hrefWith('rounds', { finishReason: 'error', time: 'hour' })}
          tone="danger"
        />
        <Number
          icon="chart"
          value={
            usage.value
              ? money(
                  cost,
                  lines.some((line) => line.usage.unpriced),
                )
              : '…'
          }
          words="spent today (UTC)"
          to={hrefWith('rounds', { time: 'day' })}
        />
      </ul>
    </>
  )
}

interface NumberProps {
  readonly icon: IconName
  readonly value: string
  readonly words: string
  readonly to: string
  /** shown when it is not 0 */
  readonly tone?: 'warn' | 'danger'
}

function Number({ icon, value, words, to, tone }: NumberProps) {
  const isCalm = value === '0' || value === '…' || tone === undefined
  return (
    <li>
      <a className={isCalm ? 'op-tile' : `op-tile ${tone}`} href={to}>
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

/** The beginnings of the last full hour before this one and of this day (UTC): they change seldom, and so do the requests. */
function useDay(): [hour: string, day: string] {
  const iso = (step: number, back: number): string =>
    new Date(Math.floor(Date.now() / step) * step - back).toISOString()
  const [kept, keep] = useState({ hour: iso(HOUR, HOUR), day: iso(24 * HOUR, 0) })
  const now = { hour: iso(HOUR, HOUR), day: iso(24 * HOUR, 0) }
  if (now.hour !== kept.hour) keep(now)
  return [kept.hour, kept.day]
}
