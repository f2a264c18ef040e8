import { afterAll, expect } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { verifies } from '../support/verifies.ts'
import { openStage } from './support/stage.ts'

const stage = await openStage()
afterAll(() => stage.close())

async function comeWith(key: string, remoteAddress: string): Promise<number> {
  const headers = { host: 'localhost', authorization: `Bearer ${key}` }
  const request = new Request('http://127.0.0.1:4747/api/sessions', { headers })
  return (await stage.segno.fetch(request, { incoming: { socket: { remoteAddress } } })).status
}

const recorded = async (tenant: string) => {
  const actor = { ...LOCAL_OWNER, tenant }
  const { items } = await stage.segno.audit.page(actor, { action: 'sign_in_failed' })
  return items.map(({ metadata, severity, userId }) => ({ ...metadata, severity, userId }))
}

verifies(
  'GOV-32',
  'failed sign-ins are on record, once for each source and minute, without what was tried',
  async () => {
    for (let i = 0; i < 5; i++) expect(await comeWith(`segno_guess-${i}`, '203.0.113.7')).toBe(401)
    expect(await comeWith('sk-zanzibar', '203.0.113.8')).toBe(401)
    const first = { severity: 'warning', userId: 'nobody', failures: 1 }
    expect(await recorded('local')).toEqual([
      { ...first, source: '203.0.113.8' },
      { ...first, source: '203.0.113.7' },
    ])
    stage.pass(60_000)
    await comeWith('segno_guess', '203.0.113.7')
    const [last] = await recorded('local')
    expect(last).toMatchObject({ source: '203.0.113.7', failures: 5 })
    expect(JSON.stringify(await recorded('local'))).not.toMatch(/guess|zanzibar/)
  },
)

verifies('GOV-32', 'a key that was revoked or has another secret is told to its tenant', async () => {
  const { id, secret = '' } = await stage.segno.keys.add({ ...LOCAL_OWNER, tenant: 'acme' }, { name: 'mine' })
  expect(await comeWith(secret, '203.0.113.9')).toBe(200)
  expect(await recorded('acme')).toEqual([])
  await stage.segno.keys.revoke({ ...LOCAL_OWNER, tenant: 'acme' }, id)
  expect(await comeWith(secret, '203.0.113.9')).toBe(401)
  expect(await recorded('acme')).toMatchObject([{ keyId: id, source: '203.0.113.9' }])
})
