import { invalidField, type Problem } from '../contract/problem.ts'
import type { Page } from './lists.ts'

/** The view of a row, if there is one. */
export const viewOf = <Row, T>(row: unknown, view: (row: Row) => T): T | undefined =>
  row === undefined ? undefined : view(row as Row)

type Filled<Row> = { [K in keyof Row as null extends Row[K] ? never : K]: Row[K] } & {
  [K in keyof Row as null extends Row[K] ? K : never]?: NonNullable<Row[K]>
}

export function withoutNulls<Row extends object>(row: Row): Filled<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Filled<Row>
}

/** A page of `limit` out of rows read with `limit + 1`; the cursor is the place of the last one shown. */
export function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => T,
  placeOf: (row: Row) => number | string,
): Page<T> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { items: shown.map(view), next: last !== undefined && rows.length > limit ? String(placeOf(last)) : null }
}

/** The place a page begins after, or `start` for the first one. */
export function parseCursor(cursor: string | undefined, start: number): number {
  if (cursor === undefined) return start
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw unknownCursor()
}

/** A cursor for rows sorted by a time and then by a number. */
export const timeCursor = (at: number, number: number): string => `${at}.${number}`

export function parseTimeCursor(cursor: string): [at: number, number: number] {
  const [, at, number] = /^(\d{1,15})\.(\d{1,16})$/.exec(cursor) ?? []
  if (at !== undefined && number !== undefined) return [Number(at), Number(number)]
  throw unknownCursor()
}

const unknownCursor = (): Problem => invalidField('cursor', 'must be the `next` of an earlier page')
