import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrate } from './migrations/index.ts'
import { UNFINISHED } from './log-store.ts'

test('what is unfinished is found without looking through rounds that are over or at what inputs say', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db)
  const plan = (db.prepare(`EXPLAIN QUERY PLAN ${UNFINISHED}`).all() as { detail: string }[]).map((row) => row.detail)
  expect(plan.filter((line) => /^SCAN (rounds|sessions|events|s)\b/.test(line))).toEqual([])
  expect(plan.filter((line) => line.includes('inputs'))).toEqual(['SCAN inputs USING COVERING INDEX inputs_seen'])
  db.close()
})
