import type { Passage } from '../../contract/knowledge.ts'
import type { KnowledgeStore, SearchQuery, SearchResult } from '../knowledge.ts'
import type { Base } from './base.ts'
import { sentVector } from './vectors.ts'

/** More of a question says little more, and costs. */
const MOST_CHARS = 4000
const MOST_WORDS = 32

const PASSAGE = `d.id AS "documentId", c.version, c.chunk, d.title, c.place, c.text`

/** The documents that are looked at, and nothing else is. */
const SCOPE = `scope AS MATERIALIZED (SELECT num, id, title, published_version AS version, chunks FROM documents
  WHERE tenant = $1 AND workspace_id = ANY ($2) AND published_version IS NOT NULL)`

// A rare word says more than a frequent one, which the ranks of the server leave out: each word counts by how few of
// these chunks have it. Materialized, because the server would work out all weights again for each hit.
const BY_WORDS = `WITH ${SCOPE},
  asked AS MATERIALIZED (
    SELECT lexeme, quote_literal(lexeme)::tsquery AS word FROM unnest(words_of($3)) ORDER BY positions[1] LIMIT ${MOST_WORDS}),
  hits AS MATERIALIZED (
    SELECT c.num, a.lexeme, ts_rank(c.words, a.word, 1) AS rank FROM asked a JOIN chunks c ON c.words @@ a.word
    JOIN scope d ON d.num = c.document AND d.version = c.version),
  weights AS MATERIALIZED (
    SELECT lexeme, ln(1 + greatest((SELECT sum(chunks) FROM scope) - count(*), 0) / (count(*) + 0.5) + 0.1) AS weight
    FROM hits GROUP BY lexeme),
  best AS (
    SELECT num, sum(rank * weight) AS score FROM hits JOIN weights USING (lexeme)
    GROUP BY num ORDER BY score DESC, num LIMIT $4)
  SELECT ${PASSAGE} FROM best b JOIN chunks c USING (num) JOIN scope d ON d.num = c.document ORDER BY b.score DESC, b.num`

// Of vectors of length 1, the product is the cosine; the extension has it negated.
const BY_MEANING = `WITH ${SCOPE},
  best AS (
    SELECT c.num, v.vector::vector <#> $3::real[]::vector AS distance FROM scope d
    JOIN chunks c ON c.document = d.num AND c.version = d.version
    JOIN chunk_vectors v ON v.chunk = c.num AND v.model = $5 AND cardinality(v.vector) = $6
    ORDER BY distance, c.num LIMIT $4)
  SELECT ${PASSAGE}, -b.distance AS similarity
  FROM best b JOIN chunks c USING (num) JOIN scope d ON d.num = c.document ORDER BY b.distance, b.num`

type Search = Pick<KnowledgeStore, 'search'>

export function searchStore({
  query,
  transaction,
  hasVectors,
}: Pick<Base, 'query' | 'transaction' | 'hasVectors'>): Search {
  async function find<Row extends object>(sql: string, values: readonly unknown[], mostMs?: number): Promise<Row[]> {
    if (mostMs === undefined) return query(sql, values)
    return transaction(async (within) => {
      await within(`SET LOCAL statement_timeout = ${Math.ceil(mostMs)}`)
      return within(sql, values)
    })
  }

  const byWords = ({ tenant, workspaceIds, words, limit, mostMs }: SearchQuery): Promise<Passage[]> =>
    find(BY_WORDS, [tenant, workspaceIds, words.slice(0, MOST_CHARS), limit], mostMs)

  async function byMeaning(asked: SearchQuery): Promise<SearchResult['byMeaning']> {
    const { tenant, workspaceIds, vector, limit, mostMs } = asked
    if (!vector || !hasVectors) return []
    const { model, values } = vector
    return find(BY_MEANING, [tenant, workspaceIds, sentVector(values), limit, model, values.length], mostMs)
  }

  return {
    async search(asked) {
      asked.signal?.throwIfAborted()
      const [words, meaning] = await Promise.all([byWords(asked), byMeaning(asked)])
      return { byWords: words, byMeaning: meaning }
    },
  }
}
