import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { newHome, segno } from '../scenarios/account/support/cli.ts'

test('segno jobs ls tells what waits and what is parked, and retry has one tried again', async () => {
  const home = newHome()
  expect(await segno(home, ['jobs', 'ls'])).toEqual({ code: 0, out: 'There are no such jobs.', err: '' })
  const db = new DatabaseSync(join(home, 'segno.db'))
  db.exec(`INSERT INTO jobs (kind, payload, run_at, attempts, parked_at, reason)
           VALUES ('purge', '{}', 1000, 0, NULL, NULL), ('pur\u{1b}ge', '{}', 2000, 12, 3000, 'ENOSPC')`)
  db.close()
  const { out } = await segno(home, ['jobs', 'ls'])
  expect(out.split('\n')).toEqual([
    '1  purge  waiting, due 1970-01-01T00:00:01.000Z, begun 0 times',
    '2  pur\\u{1b}ge  parked 1970-01-01T00:00:03.000Z, begun 12 times: ENOSPC',
    '  segno jobs retry 2',
  ])
  const retried = await segno(home, ['jobs', 'retry', '2'])
  expect(retried).toEqual({ code: 0, out: 'It is tried again, now or when Segno is started.', err: '' })
  const listed = await segno(home, ['jobs', 'ls', '--state', 'parked', '--json'])
  expect([listed.code, JSON.parse(listed.out)]).toEqual([0, []])
  const again = await segno(home, ['jobs', 'retry', '2'])
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('There is no parked job 2')])
})
