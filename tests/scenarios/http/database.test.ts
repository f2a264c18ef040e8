import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { asking } from './asking.ts'

test('checks the database', async () => {
  const it = await asking({})
  await it.ask('hello')
  const { status, body } = await it.http('GET', '/api/db/check')
  expect([status, body]).toEqual([200, { ok: true, sessions: 1, events: (await it.events()).length, findings: [] }])
})

verifies(
  'ORC-5',
  'gives the room of deleted conversations back to the disk, and loses nothing that goes on',
  async () => {
    const entry: Opening['entry'] = (model) => ({ ...model, window: 10_000_000 })
    const it = await asking({ turns: [{ text: 'word '.repeat(20), delayMs: 1, deltaChars: 2 }], entry })
    const { body: big } = await it.http('POST', '/api/sessions', {})
    const path = `/api/sessions/${String(big['id'])}`
    for (let i = 0; i < 4; i++)
      await it.http('POST', `${path}/messages?wait=1`, { content: Math.random().toString(36).repeat(20_000) })
    await it.http('DELETE', path)
    const compact = async () => (await it.http('POST', '/api/db/compact')).body as Record<string, number>

    const round = await it.send('while it is compacted')
    await it.until('turn.started')
    const { before = 0, after = 0, freed } = await compact()
    expect(freed).toBe(before - after)
    expect(await round.completion).toMatchObject({ finishReason: 'complete', content: 'word '.repeat(20) })
    // A job erases what was deleted; there is nothing to give back before.
    const enough = 500_000
    if ((freed ?? 0) < enough) await expect.poll(async () => (await compact())['freed']).toBeGreaterThan(enough)
    expect((await it.http('GET', '/api/db/check')).body).toMatchObject({ ok: true })
    await it.reopen()
    expect((await it.events()).at(-1)?.type).toBe('round.ended')
  },
)

verifies(
  'GOV-30',
  'verifies the audit log for who may read it, and tells nothing but which rows are wrong',
  async () => {
    const it = await asking({})
    await it.ask('hello')
    const auditor = await it.keyFor(['audit:read'], { userId: 'eve', tenant: 'acme' })
    const whole = (await it.http('GET', '/api/audit/verify', undefined, auditor)).body
    expect(whole).toMatchObject({ ok: true, findings: [], head: { seq: whole['rows'] } })
    expect((await it.http('GET', '/api/audit/verify', undefined, await it.keyFor(['chat:*']))).status).toBe(403)

    await it.segno.close()
    const db = new DatabaseSync(join(it.home, 'segno.db'))
    db.exec(`UPDATE audit SET body = replace(body, 'owner', 'nobody') WHERE seq = 2`)
    db.close()
    await it.reopen()
    const { body: found } = await it.http('GET', '/api/audit/verify', undefined, auditor)
    expect(found['ok']).toBe(false)
    expect((found['findings'] as string[])[0]).toMatch(/^row 2 does not fit its seal/)
    expect(JSON.stringify(found)).not.toMatch(/nobody|local|acme/)
  },
)
