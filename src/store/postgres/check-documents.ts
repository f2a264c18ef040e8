import type { Checking } from './check-store.ts'
import { pagesOf } from './pages.ts'

interface Row {
  readonly num: number
  readonly id: string
  /** the first one that lacks a chunk */
  readonly version: number | null
  readonly isMissing: boolean
}

/** Chunks and vectors belong to one, as the tables say; but each version must have all its chunks. */
export async function checkDocuments({ query, step }: Checking): Promise<string[]> {
  const findings: string[] = []
  const documents = pagesOf<Row>(query, {
    sql: `SELECT d.num, d.id, min(v.version) FILTER (WHERE v.found <> v.last + 1
              OR v.version = d.version AND v.found <> d.chunks) AS version,
            count(*) FILTER (WHERE v.version = d.version) = 0 AND d.chunks > 0
              OR count(*) FILTER (WHERE v.version = d.published_version) = 0 AND d.published_version IS NOT NULL
              AS "isMissing"
          FROM (SELECT * FROM documents WHERE num > $1 ORDER BY num LIMIT $2) d
          LEFT JOIN LATERAL (SELECT version, count(*) AS found, max(chunk) AS last FROM chunks c
            WHERE c.document = d.num GROUP BY version) v ON true
          GROUP BY d.num, d.id, d.version, d.published_version, d.chunks ORDER BY d.num`,
    start: [0],
    placeOf: ({ num }) => [num],
    rows: 100,
  })
  for await (const page of documents) {
    step()
    for (const { id, version, isMissing } of page) {
      if (version !== null) findings.push(`document ${id}: version ${version} has not all its chunks`)
      if (isMissing) findings.push(`document ${id}: a version is missing`)
    }
  }
  return findings
}
