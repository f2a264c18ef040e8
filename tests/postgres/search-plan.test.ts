import { expect, onTestFinished } from 'vitest'
import { openBase, type Base } from '../../src/store/postgres/base.ts'
import { searchStore } from '../../src/store/postgres/knowledge-search.ts'
import { freshDatabase } from '../support/postgres/fresh-database.ts'
import { verifies } from '../support/verifies.ts'

/** A published document whose chunks all have the same words. */
const FILL = `
INSERT INTO documents (id, tenant, workspace_id, title, content_type, version, status, published_version, author, editors,
  hash, bytes, chunks, created_at, updated_at, revision)
VALUES ('d', 'acme', 'system', 'Rules', 'text/plain', 1, 'published', 1, 'ada', '[]', 'h', 1, 500, 1, 1, 1);
INSERT INTO chunks (document, version, chunk, place, text)
SELECT num, 1, i, 'part ' || i, 'Bread, butter, cheese, olives and tomatoes.' FROM documents, generate_series(1, 500) i`

interface Plan {
  readonly 'Node Type': string
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

verifies(
  ['GOV-19', 'REL-8'],
  'how rare the words of a search are is worked out once, however much is found',
  async () => {
    const fresh = await freshDatabase()
    const base = await openBase({
      url: fresh.url,
      node: { id: () => 'me' },
      connections: 2,
      connectMs: 10_000,
      statementMs: 60_000,
    })
    onTestFinished(async () => {
      await base.close()
      await fresh.drop()
    })
    await base.query(FILL)
    let nodes: Plan[] = []
    const query: Base['query'] = async (sql, values) => {
      const [row] = await base.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
        values,
      )
      nodes = nodesOf(row?.['QUERY PLAN'][0]?.Plan as Plan)
      return base.query(sql, values)
    }
    const words = 'bread butter cheese olives tomatoes'
    const about = { tenant: 'acme', workspaceIds: ['system'], words, limit: 50 }
    // As right after an import, when the server knows nothing of the tables yet.
    const { byWords } = await searchStore({ ...base, query, hasVectors: false }).search(about)
    expect(byWords).toHaveLength(50)
    const aggregates = nodes.filter((node) => node['Node Type'] === 'Aggregate')
    expect(aggregates.map((node) => node['Actual Loops'])).toEqual(aggregates.map(() => 1))
    await base.close()
    await fresh.drop()
  },
)
