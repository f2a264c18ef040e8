import type { Approval } from '../../../src/client/index.ts'
import { ApproveAll } from '../conversation/approve-all.tsx'
import { AskCard } from '../conversation/ask-card.tsx'
import { ago, moment } from '../parts/format.ts'
import type { IconName } from '../parts/icon.tsx'
import { may } from '../state/may.ts'
import { usePendingAsks } from '../state/pending-asks.ts'
import { hrefOf } from '../state/route.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Choice } from './field.tsx'
import { hrefWith, type PageProps } from './filters.ts'
import { Nothing, PolledList } from './list-states.tsx'
import { usePages } from './pager.tsx'
import { Section, State } from './parts.tsx'
import { Table, type Column } from './table.tsx'

type Decided = Exclude<Approval['status'], 'pending'>

const DECIDED: Readonly<Record<Decided, readonly [words: string, icon: IconName, tone: string]>> = {
  approved: ['approved', 'check', 'ok'],
  denied: ['denied', 'cross', 'danger'],
  expired: ['nobody answered in time', 'clock', 'muted'],
  stale: ['no longer wanted', 'stop', 'muted'],
}

const COLUMNS: readonly Column<Approval>[] = [
  ['Asked', (approval) => <Asked {...approval} />],
  ['Tool', ({ tool }) => <VisibleText text={tool} />],
  ['What', ({ display }) => <VisibleText as="span" className="op-clamp" text={display.target} />, 'op-wide'],
  ['Decision', (approval) => <Decision {...approval} />],
]

/** What waits for a decision, whole; below it what was decided. */
export function Approvals({ me, filters }: PageProps) {
  const pending = usePendingAsks()
  return (
    <>
      <section aria-label="For you to decide">
        <PolledList
          list={pending}
          empty={
            <Nothing>
              Nothing waits for your decision.
              {may(me, 'user:read') && (
                <>
                  {' '}
                  Everybody decides in their own conversations:{' '}
                  <a href={hrefWith('rounds', { state: 'waiting,paused' })}>see whose rounds wait</a>
                </>
              )}
            </Nothing>
          }
        >
          {(items) => (
            <>
              <ApproveAll shown={items} />
              <ul className="op-cards">
                {items.map((approval) => (
                  <li key={approval.id}>
                    <AskCard approval={approval} />
                    <p className="muted op-note">
                      Asked {ago(approval.requestedAt)} in{' '}
                      <a href={hrefOf({ page: 'session', id: approval.sessionId })}>its conversation</a>
                    </p>
                  </li>
                ))}
              </ul>
            </>
          )}
        </PolledList>
      </section>
      <Section title="Decided">
        <DecidedList status={(filters['status'] ?? 'approved') as Decided} />
      </Section>
    </>
  )
}

function DecidedList({ status }: { status: Decided }) {
  const { list, pager } = usePages<Approval>(`/api/approvals?status=${encodeURIComponent(status)}&limit=20`, 5000)
  return (
    <>
      <div className="op-filters">
        <Choice
          label="Decision"
          name="status"
          tab="approvals"
          filters={{ status }}
          options={Object.entries(DECIDED).map(([value, [words]]) => [value, words] as const)}
        />
      </div>
      <PolledList list={list} empty={<Nothing icon="search">None.</Nothing>}>
        {(items) => <Table columns={COLUMNS} items={items} keyOf={({ id }) => id} />}
      </PolledList>
      {pager}
    </>
  )
}

function Asked({ sessionId, requestedAt }: Approval) {
  return (
    <a href={hrefOf({ page: 'session', id: sessionId })} title={moment(requestedAt)}>
      {ago(requestedAt)}
    </a>
  )
}

function Decision({ status, decidedBy }: Approval) {
  const [words, icon, tone] = status === 'pending' ? (['waits', 'clock', ''] as const) : DECIDED[status]
  return (
    <State icon={icon} tone={tone}>
      <VisibleText text={decidedBy === undefined ? words : `${words} by ${decidedBy}`} />
    </State>
  )
}
