import type { Query } from './database.ts'

const PAGE_ROWS = 500

interface Pages<Row> {
  /** ordered by the place, which is `$1` and following; the last parameter is the number of rows */
  readonly sql: string
  readonly start: readonly unknown[]
  readonly placeOf: (row: Row) => readonly unknown[]
  readonly rows?: number
}

export async function* pagesOf<Row extends object>(
  query: Query,
  { sql, start, placeOf, rows = PAGE_ROWS }: Pages<Row>,
): AsyncGenerator<Row[]> {
  for (let place = start; ;) {
    const page = await query<Row>(sql, [...place, rows])
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (page.length < rows) return
    place = placeOf(last)
  }
}
