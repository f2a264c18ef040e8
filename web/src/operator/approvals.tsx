import type { Approval } from '../api/shapes.ts'
import { AskCard } from '../conversation/ask-card.tsx'
import { ago, moment } from '../parts/format.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { may } from '../state/me.ts'
import { usePendingAsks } from '../state/pending-asks.ts'
import { hrefOf } from '../state/route.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Listed, NotAllowed, Nothing } from './faces.tsx'
import { Choice } from './field.tsx'
import { hrefWith } from './filters.ts'
import type { PageProps } from './page-props.ts'
import { usePages } from './pager.tsx'
import { Part } from './part.tsx'

type Decided = Exclude<Approval['status'], 'pending'>

const DECIDED: Readonly<Record<Decided, readonly [words: string, icon: IconName, tone: string]>> = {
  approved: ['approved', 'check', 'ok'],
  denied: ['denied', 'cross', 'danger'],
  expired: ['nobody answered in time', 'clock', 'muted'],
  stale: ['no longer wanted', 'stop', 'muted'],
}

/** What waits for a decision, whole; below it what was decided. */
export function Approvals({ me, filters }: PageProps) {
  const isAllowed = may(me, 'chat:read')
  const pending = usePendingAsks()
  if (!isAllowed) return <NotAllowed permission="chat:read" />
  return (
    <>
      <section aria-label="For you to decide">
        <Listed
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
          )}
        </Listed>
      </section>
      <Part title="Decided">
        <DecidedList status={(filters['status'] ?? 'approved') as Decided} />
      </Part>
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
      <Listed list={list} empty={<Nothing icon="search">None.</Nothing>}>
        {(items) => (
          <table className="op-table">
            <thead>
              <tr>
                <th scope="col">Asked</th>
                <th scope="col">Tool</th>
                <th scope="col">What</th>
                <th scope="col">Decision</th>
              </tr>
            </thead>
            <tbody>
              {items.map((approval) => (
                <DecidedRow key={approval.id} approval={approval} />
              ))}
            </tbody>
          </table>
        )}
      </Listed>
      {pager}
    </>
  )
}

function DecidedRow({
  approval: { sessionId, tool, display, status, requestedAt, decidedBy },
}: {
  approval: Approval
}) {
  const [words, icon, tone] = status === 'pending' ? (['waits', 'clock', ''] as const) : DECIDED[status]
  return (
    <tr className="op-row">
      <td data-label="Asked" title={moment(requestedAt)}>
        <a href={hrefOf({ page: 'session', id: sessionId })}>{ago(requestedAt)}</a>
      </td>
      <td data-label="Tool">
        <VisibleText text={tool} />
      </td>
      <td data-label="What" className="op-wide">
        <span className="op-clamp">
          <VisibleText text={display.target} />
        </span>
      </td>
      <td data-label="Decision">
        <span className={`op-state ${tone}`}>
          <Icon name={icon} />
          <span>
            {words}
            {decidedBy !== undefined && (
              <>
                {' '}
                by <VisibleText text={decidedBy} />
              </>
            )}
          </span>
        </span>
      </td>
    </tr>
  )
}
