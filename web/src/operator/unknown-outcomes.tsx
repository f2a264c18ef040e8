import type { DoubtfulCall } from '../../../src/client/index.ts'
import { Settle } from '../conversation/in-doubt.tsx'
import { ago, moment } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { may } from '../state/may.ts'
import { hrefOf } from '../state/route.ts'
import { VisibleText } from '../text/visible-text.tsx'
import type { PageProps } from './filters.ts'
import { Nothing, PolledList } from './list-states.tsx'
import { usePages } from './pager.tsx'

const WHY: Readonly<Record<string, string>> = {
  unknown: 'Segno or the tool died while it ran.',
  timeout: 'It did not answer in time.',
  cancelled: 'The round was cancelled while it ran.',
  error: 'It failed in the middle.',
}

/** Calls that were started and whose effect nobody knows. Only a person can find out. */
export function UnknownOutcomes({ me }: PageProps) {
  const { list, pager } = usePages<DoubtfulCall>('/api/calls?outcome=unknown&limit=50', 3000)
  return (
    <>
      <p className="op-lead muted">
        These calls of your conversations were started, and nobody knows whether they took effect. Segno never repeats
        them by itself. Look where they would have had their effect, then say what you found; the model is told.
      </p>
      <PolledList list={list} empty={<Nothing>No call has an unknown outcome.</Nothing>}>
        {(items) => (
          <ul className="op-cards">
            {items.map((call) => (
              <DoubtfulCard key={`${call.sessionId} ${call.callId}`} call={call} mayWrite={may(me, 'chat:write')} />
            ))}
          </ul>
        )}
      </PolledList>
      {pager}
    </>
  )
}

function DoubtfulCard({ call, mayWrite }: { call: DoubtfulCall; mayWrite: boolean }) {
  return (
    <li className="op-card loud">
      <h2>
        <Icon name="question" />
        <span>
          Did <VisibleText text={call.tool} /> happen?
        </span>
      </h2>
      <p>
        {WHY[call.outcome] ?? 'Nobody knows how it ended.'}{' '}
        {call.endedAt !== undefined && <span title={moment(call.endedAt)}>That was {ago(call.endedAt)}.</span>}{' '}
        <a href={hrefOf({ page: 'session', id: call.sessionId })}>See it in its conversation</a>
      </p>
      {mayWrite && (
        <div className="op-settle column">
          <Settle sessionId={call.sessionId} callId={call.callId} />
        </div>
      )}
    </li>
  )
}
