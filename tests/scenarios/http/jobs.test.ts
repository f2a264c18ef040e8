import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { asking, type Asking } from './asking.ts'

/** A Segno with one job of a kind it does not know, parked as soon as it looked at it. */
async function withStrangeJob(): Promise<Asking> {
  const it = await asking({})
  await it.segno.close()
  const db = new DatabaseSync(join(it.home, 'segno.db'))
  db.exec(`INSERT INTO jobs (kind, payload, run_at) VALUES ('of a later version', '{"secret":"words"}', 0)`)
  db.close()
  await it.reopen()
  await expect.poll(async () => (await it.http('GET', '/api/jobs?state=parked')).body['items']).toHaveLength(1)
  return it
}

test('shows what is parked and why, counts it, and has it tried again', async () => {
  const it = await withStrangeJob()
  const { status, body } = await it.http('GET', '/api/jobs?state=parked')
  expect([status, body]).toMatchObject([
    200,
    {
      items: [{ id: 1, kind: 'of a later version', state: 'parked', attempts: 1, reason: 'UNKNOWN_KIND' }],
      next: null,
    },
  ])
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(await it.segno.fetch(new Request('http://localhost/metrics')).then((answer) => answer.text())).toMatch(
    /^segno_jobs_parked_total 1$/m,
  )
  const { parkedAt } = (body['items'] as { parkedAt: string }[])[0] ?? {}
  expect((await it.http('POST', '/api/jobs/1/retry')).status).toBe(204)
  const parkedAgain = async () =>
    (await it.http('GET', '/api/jobs?state=parked')).body['items'] as { parkedAt: string }[]
  await expect.poll(async () => (await parkedAgain())[0]?.parkedAt ?? parkedAt).not.toBe(parkedAt)
  const { body: audit } = await it.http('GET', '/api/audit?action=job_retried')
  expect(audit['items']).toMatchObject([{ action: 'job_retried', metadata: { jobId: 1 } }])
})

test('what is not parked or not asked for rightly is said to be so', async () => {
  const it = await asking({})
  expect((await it.http('GET', '/api/jobs')).body).toEqual({ items: [], next: null })
  const answers = [
    await it.http('POST', '/api/jobs/7/retry'),
    await it.http('POST', '/api/jobs/seven/retry'),
    await it.http('GET', '/api/jobs?state=lost'),
    await it.http('GET', '/api/jobs?cursor=x'),
  ]
  expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
    [404, 'NOT_FOUND'],
    [400, 'VALIDATION_ERROR'],
    [400, 'VALIDATION_ERROR'],
    [400, 'VALIDATION_ERROR'],
  ])
})

test('only who runs Segno sees them or has them tried again', async () => {
  const it = await asking({})
  const key = await it.keyFor(['*'])
  for (const [method, path] of [
    ['GET', '/api/jobs'],
    ['POST', '/api/jobs/1/retry'],
  ] as const)
    expect((await it.http(method, path, undefined, key)).status).toBe(403)
})
