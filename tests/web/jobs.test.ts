import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { asUser } from './support/as-user.ts'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { REFUSED } from './support/guard.ts'
import { button } from './support/person.ts'
import { openStage, type Stage } from './support/stage.ts'
import { visit } from './support/visit.ts'

/** A server with a job of a kind it does not know, which it puts aside, and one that is due in a hundred years. */
async function stageWithJobs(): Promise<Stage> {
  const stage = await openStage()
  await stage.kill()
  const db = new DatabaseSync(join(stage.home, 'segno.db'))
  db.exec(`INSERT INTO jobs (kind, payload, run_at) VALUES ('of a later version', '{"secret":"words"}', 0)`)
  db.exec(`INSERT INTO jobs (kind, payload, run_at) VALUES ('purge', '{"sessionId":"x"}', ${Date.now() + 3.2e12})`)
  db.close()
  await stage.revive()
  await eventually(async () => (await stage.get('/api/jobs?state=parked')).items?.length).toBe(1)
  return stage
}

test('work that was put aside is shown with its reason, and tried again when somebody says so', async () => {
  const stage = await stageWithJobs()
  const parkedAt = async (): Promise<unknown> =>
    ((await stage.get('/api/jobs?state=parked')).items as unknown as { parkedAt: string }[])[0]?.parkedAt
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  const { page } = await visit(stage.url, { ...phone, at: '#/operator/jobs' })
  const aside = page.getByRole('region', { name: 'Put aside' })
  await aside.getByText('of a later version').waitFor()
  await aside.getByText('This version of Segno does not know this kind of work').waitFor()
  const later = page.getByRole('region', { name: 'Still to be done' })
  await later.getByText('erase a deleted conversation').waitFor()
  expect(await page.content()).not.toContain('secret')
  expect(await barriers(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

  const before = await parkedAt()
  await button(aside, 'Try again').press('Enter')
  // It is tried at once, and put aside once more.
  await eventually(async () => ((await parkedAt()) ?? before) === before).toBe(false)
  expect((await stage.get('/api/audit?action=job_retried')).items).toHaveLength(1)
})

test('where nothing is to be done the page says so, and only who runs Segno is shown more', async () => {
  const stage = await openStage()
  const { page } = await visit(stage.url, { at: '#/operator/jobs' })
  await page.getByText('Nothing was put aside.').waitFor()
  await page.getByText('Nothing waits.').waitFor()
  const { page: admin, guard } = await visit(stage.url, {
    ...(await asUser(stage, 'ada', 'admin')),
    at: '#/operator/jobs',
  })
  guard.expect(REFUSED)
  await admin.getByText('This needs the permission operator').waitFor()
})
