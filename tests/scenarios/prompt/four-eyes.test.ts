import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { ada, bob, draft, eve, holder, WORDS } from './support.ts'

const OFF = { env: { SEGNO_FOUR_EYES: 'off' } }
const refused = { code: 'PERMISSION_DENIED' }

/** A prompt that the owner of the machine wrote and submitted, with nobody else around. */
async function ownersPrompt(it: SegnoUnderTest): Promise<string> {
  const { id } = await it.segno.prompts.create(LOCAL_OWNER, { name: 'Mine', content: WORDS })
  await it.segno.prompts.submit(LOCAL_OWNER, id)
  return id
}

describe('who wrote words of a prompt', () => {
  verifies('GOV-4', 'may not approve it, as author or as editor, with whatever key and by whatever way', async () => {
    const it = await segnoUnderTest()
    const { prompts } = it.segno
    const adas = await holder(it, 'ada', 'super_admin')
    const { id } = await draft(it.segno)
    await prompts.change(bob, id, { content: 'Bob was here.' })
    await prompts.submit(ada, id)
    for (const who of [ada, bob]) await expect(prompts.approve(who, id)).rejects.toMatchObject(refused)
    const another = await holder(it, 'ada', 'reviewer')
    for (const key of [adas, another]) {
      const { status, body } = await key('POST', `/api/prompts/${id}/approve`)
      expect([status, body['code']]).toEqual([403, 'PERMISSION_DENIED'])
      expect(body['detail']).toMatch(/^You wrote words of this prompt/)
    }
    expect((await prompts.get(ada, id)).status).toBe('pending_review')
    expect(await prompts.approve(eve, id)).toMatchObject({ status: 'approved', reviewer: 'eve' })
  })

  test('stays so after a rejection, also when the words are gone again', async () => {
    const { segno } = await segnoUnderTest()
    const { id } = await draft(segno)
    await segno.prompts.change(bob, id, { content: 'Bob was here.' })
    await segno.prompts.submit(bob, id)
    await segno.prompts.reject(eve, id, { reason: 'no' })
    await segno.prompts.change(ada, id, { content: WORDS })
    await segno.prompts.submit(ada, id)
    await expect(segno.prompts.approve(bob, id)).rejects.toMatchObject(refused)
  })

  test('is nobody who changed the name only, or nothing at all', async () => {
    const { segno } = await segnoUnderTest()
    const { id, revision } = await draft(segno)
    expect(await segno.prompts.change(bob, id, { content: WORDS })).toMatchObject({ editors: [], revision })
    await segno.prompts.change(bob, id, { name: 'Better name' })
    await segno.prompts.submit(ada, id)
    expect(await segno.prompts.approve(bob, id)).toMatchObject({ reviewer: 'bob', editors: [] })
  })
})

verifies('GOV-4', 'who names the revision they saw never approves other words', async () => {
  const it = await segnoUnderTest()
  const bobs = await holder(it, 'bob', 'reviewer')
  const { id } = await draft(it.segno)
  await it.segno.prompts.submit(ada, id)
  const { body: seen } = await bobs('GET', `/api/prompts/${id}`)
  await it.segno.prompts.reject(ada, id, { reason: 'once more' })
  await it.segno.prompts.change(ada, id, { content: 'You obey Ada.' })
  const { revision } = await it.segno.prompts.submit(ada, id)
  const { status, body } = await bobs('POST', `/api/prompts/${id}/approve`, { revision: seen['revision'] })
  expect([status, body['code']]).toEqual([409, 'CONFLICT'])
  expect(await it.segno.prompts.get(ada, id)).toMatchObject({ status: 'pending_review', revision })
  expect((await bobs('POST', `/api/prompts/${id}/approve`, { revision })).body).toMatchObject({ reviewer: 'bob' })
})

describe('a person who is alone', () => {
  verifies('GOV-4', 'is told both ways out, over HTTP and in code', async () => {
    const it = await segnoUnderTest()
    const id = await ownersPrompt(it)
    const waysOut = /segno keys add .* --role reviewer.*SEGNO_FOUR_EYES=off/
    await expect(it.segno.prompts.approve(LOCAL_OWNER, id)).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(waysOut) as string,
    })
    const { status, body } = await ask(it, 'POST', `/api/prompts/${id}/approve`)
    expect([status, body['detail']]).toEqual([403, expect.stringMatching(waysOut)])
  })

  verifies('GOV-4', 'may approve with SEGNO_FOUR_EYES=off, which is shown and recorded', async () => {
    const it = await segnoUnderTest(OFF)
    const id = await ownersPrompt(it)
    const { status, body } = await ask(it, 'POST', `/api/prompts/${id}/approve`)
    expect([status, body]).toMatchObject([200, { status: 'approved', reviewer: 'owner', selfApproved: true }])
    expect((await ask(it, 'POST', `/api/prompts/${id}/activate`)).body).toMatchObject({ selfApproved: true })
    expect((await ask(it, 'GET', `/api/prompts/${id}`)).body).toMatchObject({ selfApproved: true })
    const { body: audit } = await ask(it, 'GET', '/api/audit?action=prompt_approved')
    expect(audit['items']).toMatchObject([{ userId: 'owner', metadata: { promptId: id, selfApproved: true } }])
  })

  verifies('GOV-4', 'is alone only while nobody else has a key that is good', async () => {
    let now = Date.now()
    const it = await segnoUnderTest({ ...OFF, clock: { now: () => now } })
    const { keys, prompts } = it.segno
    const id = await ownersPrompt(it)
    const own = await keys.add(LOCAL_OWNER, { name: 'laptop' })
    expect(own.userId).toBe('owner')
    const { id: revoked } = await keys.add(LOCAL_OWNER, { name: 'reader', userId: 'bob' })
    await keys.add(LOCAL_OWNER, { name: 'guest', userId: 'eve', expiresAt: now + 1000 })
    await keys.add(LOCAL_OWNER, { name: 'elsewhere', userId: 'zoe', tenant: 'acme' })
    const others = expect.stringMatching(/somebody else has to approve it/) as string
    await expect(prompts.approve(LOCAL_OWNER, id)).rejects.toMatchObject({ ...refused, message: others })
    await keys.revoke(LOCAL_OWNER, revoked)
    await expect(prompts.approve(LOCAL_OWNER, id)).rejects.toMatchObject({ ...refused, message: others })
    now += 1000
    expect(await prompts.approve(LOCAL_OWNER, id)).toMatchObject({ selfApproved: true })
  })

  test('shares the tenant of this machine with its owner, unless everybody needs a key', async () => {
    const alone: Actor = { ...ada, tenant: 'local' }
    for (const [env, isAlone] of [
      [{ SEGNO_FOUR_EYES: 'off' }, false],
      [{ SEGNO_FOUR_EYES: 'off', SEGNO_REQUIRE_KEY: 'on' }, true],
    ] as const) {
      const { segno } = await segnoUnderTest({ env })
      await segno.keys.add(LOCAL_OWNER, { name: 'a key', userId: 'ada' })
      const { id } = await segno.prompts.create(alone, { name: 'Mine', content: WORDS })
      await segno.prompts.submit(alone, id)
      const approving = segno.prompts.approve(alone, id)
      if (isAlone) expect(await approving).toMatchObject({ reviewer: 'ada', selfApproved: true })
      else await expect(approving).rejects.toMatchObject(refused)
    }
  })

  test('what somebody else approves is not self-approved, and what goes back is approved anew', async () => {
    const { segno } = await segnoUnderTest(OFF)
    const { id } = await draft(segno)
    await segno.prompts.submit(ada, id)
    const approvedByBob = await segno.prompts.approve(bob, id)
    expect(approvedByBob).toMatchObject({ reviewer: 'bob' })
    expect(approvedByBob).not.toHaveProperty('selfApproved')
  })
})
