import { useState } from 'react'
import type { MeView, RoundSummary } from '../../../../src/client/index.ts'
import { ago, duration, moment, money, tokens } from '../../parts/format.ts'
import { may } from '../../state/may.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { queryOf, type Filters, type PageProps } from '../filters.ts'
import { Nothing, PolledList } from '../list-states.tsx'
import { usePages } from '../pager.tsx'
import { State } from '../parts.tsx'
import { Table, type Column } from '../table.tsx'
import { RoundDetail } from './round-detail.tsx'
import { RoundFilters } from './round-filters.tsx'
import { roundState } from './round-state.ts'

const SPANS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

/** Rounds now and before, newest first. */
export function Rounds({ me, filters }: PageProps) {
  const maySeeAll = may(me, 'user:read')
  const all = maySeeAll && filters['whose'] !== 'mine'
  const since = useSince(filters['time'] ?? '')
  const { list, pager } = usePages<RoundSummary>(pathOf(filters, since, all), 3000)
  return (
    <>
      <RoundFilters filters={filters} maySeeAll={maySeeAll} />
      <PolledList list={list} empty={<NoRounds filters={filters} />}>
        {(items) => (
          <Table
            columns={columnsFor(me)}
            items={items}
            keyOf={({ sessionId, requestId }) => `${sessionId} ${requestId}`}
            detail={(round) => <RoundDetail round={round} me={me} />}
          />
        )}
      </PolledList>
      {pager}
    </>
  )
}

const columnsFor = (me: MeView): readonly Column<RoundSummary>[] => [
  ['When', ({ startedAt }) => <span title={moment(startedAt)}>{ago(startedAt)}</span>],
  ['Conversation', (round) => <Title round={round} isOwn={round.userId === me.id} />, 'op-wide'],
  ['State', (round) => <RoundState round={round} />, 'op-wide'],
  ['Time', timeOf, 'op-number'],
  ['Cost', (round) => (isCounted(round) ? money(round.cost, round.usage.unpriced) : '–'), 'op-number'],
  ['Tokens', (round) => (isCounted(round) ? tokens(round.usage) : '–'), 'op-number'],
  ['Model', ({ model }) => <VisibleText text={model} />],
]

function Title({ round: { title, userId }, isOwn }: { round: RoundSummary; isOwn: boolean }) {
  if (isOwn) return <VisibleText text={title || 'New conversation'} />
  return (
    <span className="muted">
      of <VisibleText text={userId} />
    </span>
  )
}

function RoundState({ round }: { round: RoundSummary }) {
  const { words, icon, tone } = roundState(round)
  return (
    <State icon={icon} tone={tone}>
      {words}
    </State>
  )
}

function timeOf({ state, startedAt, endedAt }: RoundSummary): string {
  if (state === 'queued') return '–'
  return duration((endedAt ? Date.parse(endedAt) : Date.now()) - Date.parse(startedAt))
}

/** The totals of an open round are only known when it ends. */
const isCounted = ({ state, usage, cost }: RoundSummary): boolean =>
  state === 'ended' || usage.input + usage.output + cost > 0

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

/** Fixed when it is chosen, so that the list does not start again while it is read. */
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
