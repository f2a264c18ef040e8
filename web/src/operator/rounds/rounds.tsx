import { useState } from 'react'
import type { RoundSummary } from '../../api/shapes.ts'
import { may } from '../../state/me.ts'
import { Listed, NotAllowed, Nothing } from '../faces.tsx'
import { queryOf, type Filters } from '../filters.ts'
import type { PageProps } from '../page-props.ts'
import { usePages } from '../pager.tsx'
import { RoundFilters } from './round-filters.tsx'
import { RoundRow } from './round-row.tsx'

const SPANS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

/** Rounds now and before, newest first. */
export function Rounds({ me, filters }: PageProps) {
  const isAllowed = may(me, 'chat:read')
  const maySeeAll = may(me, 'user:read')
  const all = maySeeAll && filters['whose'] !== 'mine'
  const since = useSince(filters['time'] ?? '')
  const { list, pager } = usePages<RoundSummary>(isAllowed ? pathOf(filters, since, all) : null, 3000)
  if (!isAllowed) return <NotAllowed permission="chat:read" />
  return (
    <>
      <RoundFilters filters={filters} maySeeAll={maySeeAll} />
      <Listed list={list} empty={<NoRounds filters={filters} />}>
        {(items) => (
          <table className="op-table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Conversation</th>
                <th scope="col">How it stands</th>
                <th scope="col">Time</th>
                <th scope="col">Cost</th>
                <th scope="col">Tokens</th>
                <th scope="col">Model</th>
              </tr>
            </thead>
            <tbody>
              {items.map((round) => (
                <RoundRow key={`${round.sessionId} ${round.requestId}`} round={round} me={me} />
              ))}
            </tbody>
          </table>
        )}
      </Listed>
      {pager}
    </>
  )
}

function NoRounds({ filters }: { filters: Filters }) {
  return Object.values(filters).some((value) => value !== '') ? (
    <Nothing icon="search">
      No round fits these filters. <a href="#/operator/rounds">Show all</a>
    </Nothing>
  ) : (
    <Nothing icon="play">
      No rounds yet: each message to Segno begins one. <a href="#/">Start a conversation</a>
    </Nothing>
  )
}

/** The time is taken when it is chosen: a list must not begin anew while it is read. */
function useSince(span: string): string {
  const [chosen, choose] = useState({ span, since: sinceOf(span) })
  if (chosen.span !== span) choose({ span, since: sinceOf(span) })
  return chosen.since
}

function sinceOf(span: string): string {
  const ms = SPANS[span]
  return ms === undefined ? '' : new Date(Date.now() - ms).toISOString()
}

function pathOf(filters: Filters, since: string, all: boolean): string {
  const { state = '', finishReason = '', model = '', protocol = '', session = '' } = filters
  const query = { state, finishReason, model, protocol, session, since, all: all ? '1' : '', limit: '50' }
  return `/api/rounds?${queryOf(query)}`
}
