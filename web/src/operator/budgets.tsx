import type { BudgetView } from '../../../src/contract/account.ts'
import type { Page } from '../../../src/client/index.ts'
import { count, money } from '../parts/format.ts'
import { usePolled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Nothing, PolledList } from './list-states.tsx'
import { Table, type Column } from './table.tsx'

const COLUMNS: readonly Column<BudgetView>[] = [
  ['Who', ({ userId }) => (userId === '*' ? 'everybody without their own' : <VisibleText text={userId} />)],
  ['Tokens a day', ({ dailyTokens, left }) => limit(dailyTokens, left.tokens, count)],
  ['Tools a day', ({ dailyToolCost, left }) => limit(dailyToolCost, left.tools, money)],
  ['Everything a day', ({ dailyCost, left }) => limit(dailyCost, left.cost, money)],
]

/** What people may spend on a day, and what is left of it today. */
export function Budgets() {
  const list = usePolled<Page<BudgetView>>('/api/budgets', 10_000)
  return (
    <PolledList
      list={list}
      empty={
        <Nothing icon="chart">
          Nobody has a limit. Whoever runs Segno can set one for a person or for everybody: see “Budgets” in
          docs/policies.md.
        </Nothing>
      }
    >
      {(items) => <Table columns={COLUMNS} items={items} keyOf={({ userId }) => userId} />}
    </PolledList>
  )
}

function limit(most: number | null, left: number | null, show: (value: number) => string): string {
  if (most === null) return 'no limit'
  return left === null ? show(most) : `${show(most)}, ${show(Math.max(0, left))} left today`
}
