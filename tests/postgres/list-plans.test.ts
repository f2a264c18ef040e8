import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InvocationStore, ListStore } from '../../src/store/index.ts'
import { approvalLists } from '../../src/store/postgres/approvals.ts'
import { openBase, type Base } from '../../src/store/postgres/base.ts'
import { invocationStore } from '../../src/store/postgres/invocations.ts'
import { roundPages } from '../../src/store/postgres/round-list.ts'
import { roundLists } from '../../src/store/postgres/rounds.ts'
import { sessionLists } from '../../src/store/postgres/sessions.ts'
import { unknownCallLists } from '../../src/store/postgres/unknown-calls.ts'
import { usageList } from '../../src/store/postgres/usage.ts'
import { freshDatabase, type FreshDatabase } from '../support/postgres/fresh-database.ts'

/** Sessions, each with a round; `npm run test:postgres` has more. */
const MANY = process.env['SEGNO_TEST_LONG'] ? 100_000 : 10_000
const OWNERS = 100

/** One tenant has almost all; of its people one has 1 % of them. Every 50th round is open, every 500th waits. */
const FILL = `
INSERT INTO sessions (id, tenant, owner, title, folded, archived, parent, parent_seq, created_at, updated_at, used_at)
SELECT 's' || i, 'local', 'u' || i % ${OWNERS}, 'Title ' || i, 'TITLE ' || i, (i % 7 = 0)::int,
  CASE WHEN i % 10 = 1 AND i > 10 THEN 's' || i - 1 END, CASE WHEN i % 10 = 1 AND i > 10 THEN 3 END, i, i, i
FROM generate_series(1, ${MANY}) i;
INSERT INTO heads (session_id, head) SELECT id, 9 FROM sessions;
INSERT INTO rounds (session_id, request_id, tenant, owner, start_seq, end_seq, state, waiting_until, protocol, mode, model,
  usage, cost, finish_reason, started_at, ended_at)
SELECT 's' || i, 'r' || i, 'local', 'u' || i % ${OWNERS}, 2, CASE WHEN i % 50 > 0 THEN 9 END,
  CASE WHEN i % 500 = 0 THEN 'waiting' WHEN i % 50 = 0 THEN 'running' ELSE 'ended' END,
  CASE WHEN i % 500 = 0 THEN i END, 'unified', 'default', 'm', '{"input":1,"output":2}', 3, 'completed', i, i + 1
FROM generate_series(1, ${MANY}) i;
INSERT INTO approvals (id, session_id, tenant, owner, request_id, call_id, tool, args, target, reason, rememberable,
  question, status, requested_at, expires_at)
SELECT 'a' || i, 's' || i, 'local', 'u' || i % ${OWNERS}, 'r' || i, 'c' || i, 't', '{}', '', '', 0, 0,
  CASE WHEN i % 300 = 0 THEN 'pending' ELSE 'approved' END, i, i + 10 FROM generate_series(1, ${MANY}) i;
INSERT INTO calls (call_id, session_id, tenant, owner, request_id, tool, signature, outcome, effect, ended_at)
SELECT 'c' || i, 's' || i, 'local', 'u' || i % ${OWNERS}, 'r' || i, 't', '', 'error', 'unknown', i
FROM generate_series(1, ${MANY}) i;
INSERT INTO inputs (session_id, n, id, key, tenant, owner, kind, request_id, protocol, mode, model, at, body)
SELECT 's' || i, 1, 'i' || i, 'k' || i, 'local', 'u' || i % ${OWNERS}, 'message', 'q' || i, 'unified', 'default', 'm', i,
  repeat('x', 500) FROM generate_series(1, ${MANY}, 23) i;
INSERT INTO invocations (id, tenant, automation_id, key, origin, user_id, created_at, status, ended_at, revision, body)
SELECT 'v' || i, 'local', 'w' || i % 3, 'k' || i, 'person', 'u' || i % ${OWNERS}, i, 'success', i + 9, 1,
  '{"startedAt":1}' FROM generate_series(1, ${MANY}) i;
`

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly Plan[]
}

let fresh: FreshDatabase
let base: Base
type Lists = ListStore & Pick<InvocationStore, 'invocationEnds'>
let lists: Lists
/** of the last question: rows of tables that were looked at, and tables that were read from end to end */
let looked: { rows: number; scanned: string[] }

beforeAll(async () => {
  fresh = await freshDatabase()
  const limits = { connections: 2, connectMs: 10_000, statementMs: 60_000 }
  base = await openBase({ url: fresh.url, node: { id: () => 'me' }, ...limits })
  await base.query(FILL)
  await base.query('VACUUM ANALYZE')
  const query: Base['query'] = async (sql, values) => {
    const [row] = await base.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values)
    look(row?.['QUERY PLAN'][0]?.Plan as Plan)
    return base.query(sql, values)
  }
  const explained = { ...base, query }
  lists = {
    ...sessionLists(explained),
    ...roundLists(explained),
    ...roundPages(explained),
    ...usageList(explained),
    ...approvalLists(explained),
    ...unknownCallLists(explained),
    invocationEnds: invocationStore(explained).invocationEnds,
  }
})

afterAll(async () => {
  await base.close()
  await fresh.drop()
})

function look(plan: Plan): void {
  if (plan['Relation Name'] !== undefined) {
    const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
    looked.rows += (plan['Actual Rows'] + removed) * plan['Actual Loops']
    if (plan['Node Type'] === 'Seq Scan') looked.scanned.push(plan['Relation Name'])
  }
  for (const part of plan.Plans ?? []) look(part)
}

const HERS = { tenant: 'local', owner: 'u7' }
const middle = `s${MANY / 2}`
/** how many rows it may look at: what it shows, a few joins for each, and the one that says that there are more */
const QUESTIONS: Record<string, [most: number, (lists: Lists) => Promise<unknown>]> = {
  'a session by its id': [10, (lists) => lists.session(middle)],
  'a session by its alias': [10, (lists) => lists.sessionByAlias({ tenant: 'local', id: 'u7' }, 'none')],
  'the last used sessions': [500, (lists) => lists.sessions(HERS)],
  'the last used sessions that were put away': [500, (lists) => lists.sessions({ ...HERS, archived: true })],
  'a later page of sessions': [500, (lists) => lists.sessions({ ...HERS, cursor: `${MANY / 2}.1` })],
  'sessions by words, in those of one person': [
    (MANY / OWNERS) * 1.2 + 20,
    (lists) => lists.sessions({ ...HERS, search: '77' }),
  ],
  'a family': [20, (lists) => lists.family(middle)],
  'a round': [5, (lists) => lists.round('r77')],
  'a round as a fork has it': [10, (lists) => lists.roundIn(`s${MANY / 2 + 1}`, `r${MANY / 2}`)],
  'the round at a number': [10, (lists) => lists.roundAt(`s${MANY / 2 + 1}`, 3)],
  'the rounds of a session': [5, (lists) => lists.rounds(middle)],
  'rounds that are due': [MANY / 200, (lists) => lists.dueRounds(MANY / 2)],
  'the newest rounds of one person': [1000, (lists) => lists.roundPage(HERS)],
  'the newest rounds of a tenant': [1000, (lists) => lists.roundPage({ tenant: 'local' })],
  'a later page of rounds': [500, (lists) => lists.roundPage({ ...HERS, cursor: `${MANY / 2}.1` })],
  'open rounds of one person': [MANY / 20, (lists) => lists.roundPage({ ...HERS, states: ['running'] })],
  'the rounds of a session, newest first': [20, (lists) => lists.roundPage({ ...HERS, sessionId: middle })],
  'what one person used': [MANY / OWNERS + 20, (lists) => lists.usage(HERS)],
  'what a tenant used lately': [120, (lists) => lists.usage({ tenant: 'local', since: MANY - 100 })],
  'what a session used': [5, (lists) => lists.usage({ tenant: 'local', sessionId: middle })],
  'an approval': [5, (lists) => lists.approval('a300')],
  'what waits for a decision': [20, (lists) => lists.approvals({ ...HERS, status: 'pending' })],
  'the newest approvals': [110, (lists) => lists.approvals(HERS)],
  'the newest approvals that were granted': [110, (lists) => lists.approvals({ ...HERS, status: 'approved' })],
  'an unknown call': [5, (lists) => lists.unknownCall('c77')],
  'how the newest runs of a workflow went': [
    50,
    (lists) => lists.invocationEnds({ tenant: 'local', automationId: 'w1', since: 5, limit: 50 }),
  ],
  'unknown calls': [60, (lists) => lists.unknownCalls(HERS)],
}

for (const [what, [most, ask]] of Object.entries(QUESTIONS)) {
  test(`${what}: what is asked for is found without looking through the rest`, async () => {
    looked = { rows: 0, scanned: [] }
    await ask(lists)
    expect(looked.scanned).toEqual([])
    expect(looked.rows).toBeLessThanOrEqual(most)
  })
}
