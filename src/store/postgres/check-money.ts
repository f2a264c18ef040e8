import type { Checking } from './check-store.ts'

const MOST_FINDINGS = 1000

export async function checkAmounts({ query }: Checking): Promise<string[]> {
  const spent = await query<{ user_id: string; day: string }>(
    `SELECT user_id, day FROM spent
     WHERE least(tokens, tool_cost, cost, held_tokens, held_tool_cost, held_cost) < 0 LIMIT ${MOST_FINDINGS}`,
  )
  const reserved = await query<{ session_id: string; seq: number }>(
    `SELECT session_id, seq FROM reservations
     WHERE least(tokens, cost, coalesce(spent_tokens, 0), coalesce(spent_cost, 0)) < 0 LIMIT ${MOST_FINDINGS}`,
  )
  return [
    ...spent.map(({ user_id, day }) => `spent: what ${user_id} spent on ${day} is negative`),
    ...reserved.map(
      ({ session_id, seq }) => `reservations: event ${seq} of session ${session_id} has a negative amount`,
    ),
  ]
}

/** The counter of reserved amounts must be the sum of open reservations. */
export async function checkHeld({ query }: Checking): Promise<string[]> {
  const wrong = await query<{ user_id: string; day: string }>(
    `SELECT user_id, day FROM spent FULL JOIN
       (SELECT tenant, user_id, day, sum(tokens) AS tokens, sum(cost) AS cost,
          sum(CASE WHEN what = 'tool' THEN cost ELSE 0 END) AS tool_cost
        FROM reservations WHERE settled_at IS NULL GROUP BY tenant, user_id, day) open USING (tenant, user_id, day)
     WHERE (coalesce(held_tokens, 0), coalesce(held_cost, 0), coalesce(held_tool_cost, 0))
       <> (coalesce(open.tokens, 0), coalesce(open.cost, 0), coalesce(open.tool_cost, 0)) LIMIT ${MOST_FINDINGS}`,
  )
  return wrong.map(({ user_id, day }) => `spent: what is set aside for ${user_id} on ${day} is counted wrong`)
}
