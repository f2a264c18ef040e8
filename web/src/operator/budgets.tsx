import type { Page } from '../api/shapes.ts'
import { count, money } from '../parts/format.ts'
import { usePolled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Listed, Nothing } from './faces.tsx'
import type { Budget } from './shapes.ts'

/** What people may spend on a day, and what is left of it today. */
export function Budgets() {
  const list = usePolled<Page<Budget>>('/api/budgets', 10_000)
  return (
    <Listed
      list={list}
      empty={
        <Nothing icon="chart">
          Nobody has a limit. Set one with <code>PUT /api/budgets/NAME</code>, or <code>*</code> for everybody.
        </Nothing>
      }
    >
      {(items) => (
        <table className="op-table">
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Tokens a day</th>
              <th scope="col">Tools a day</th>
              <th scope="col">Everything a day</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ userId, dailyTokens, dailyToolCost, dailyCost, left }) => (
              <tr key={userId} className="op-row">
                <td data-label="Who">
                  {userId === '*' ? 'everybody without their own' : <VisibleText text={userId} />}
                </td>
                <td data-label="Tokens a day">{limit(dailyTokens, left.tokens, count)}</td>
                <td data-label="Tools a day">{limit(dailyToolCost, left.tools, money)}</td>
                <td data-label="Everything a day">{limit(dailyCost, left.cost, money)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Listed>
  )
}

function limit(most: number | null, left: number | null, show: (value: number) => string): string {
  if (most === null) return 'no limit'
  return left === null ? show(most) : `${show(most)}, ${show(Math.max(0, left))} left today`
}
