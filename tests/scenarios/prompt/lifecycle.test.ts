import { describe, expect, test } from 'vitest'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask, type Answer } from '../http/ask.ts'
import { ada, approved, bob, draft, eve, holder, rival, WORDS } from './support.ts'

describe('a prompt', () => {
  verifies('GOV-4', 'goes from draft over review and approval to active and deprecated, over HTTP', async () => {
    const it = await segnoUnderTest()
    const adas = await holder(it, 'ada', 'editor')
    const bobs = await holder(it, 'bob', 'editor')
    const made = await adas('POST', '/api/prompts', { name: 'House rules', content: WORDS })
    expect(made).toMatchObject({
      status: 201,
      body: { workspaceId: 'system', name: 'House rules', version: 1, content: WORDS, status: 'draft', author: 'ada' },
    })
    expect(made.body).toMatchObject({
      editors: [],
      tokens: 8,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    })
    for (const hidden of ['tenant', 'reviewer']) expect(made.body).not.toHaveProperty(hidden)
    const path = `/api/prompts/${String(made.body['id'])}`
    const steps = [
      await adas('POST', `${path}/submit`),
      await bobs('POST', `${path}/reject`, { reason: 'say please' }),
      await adas('PATCH', path, { content: `${WORDS}\nPlease.` }),
      await adas('POST', `${path}/submit`, {}),
      await bobs('POST', `${path}/approve`),
      await adas('POST', `${path}/activate`, { reason: 'new year' }),
      await adas('POST', `${path}/deprecate`),
      await adas('POST', `${path}/activate`),
    ]
    expect(steps.map(({ status, body }) => [status, body['status'], body['reviewer'], body['reason']])).toEqual([
      [200, 'pending_review', undefined, undefined],
      [200, 'draft', undefined, 'say please'],
      [200, 'draft', undefined, 'say please'],
      [200, 'pending_review', undefined, undefined],
      [200, 'approved', 'bob', undefined],
      [200, 'active', 'bob', 'new year'],
      [200, 'deprecated', 'bob', undefined],
      [200, 'active', 'bob', undefined],
    ])
    expect((await adas('GET', path)).body).toMatchObject({
      content: `${WORDS}\nPlease.`,
      activatedAt: expect.stringMatching(/Z$/) as string,
    })
    expect((await adas('GET', path)).body).not.toHaveProperty('selfApproved')
  })

  verifies('GOV-4', 'takes no step from where it does not begin, and says what is possible', async () => {
    const { segno } = await segnoUnderTest()
    const { prompts } = segno
    const STEPS = ['submit', 'approve', 'reject', 'activate', 'deprecate'] as const
    const { id } = await draft(segno)
    const refuses = (work: Promise<unknown>, message: string) =>
      expect(work).rejects.toMatchObject({ code: 'CONFLICT', message })
    const life = [
      ['draft', ['submit'], 'edit, submit', 'submit'],
      ['pending_review', ['approve', 'reject'], 'approve, reject', 'approve'],
      ['approved', ['activate'], 'activate', 'activate'],
      ['active', ['deprecate'], 'deprecate', 'deprecate'],
      ['deprecated', ['activate'], 'activate', 'activate'],
    ] as const
    for (const [status, allowed, next, step] of life) {
      const possible = `Possible now: ${next}.`
      for (const other of STEPS.filter((one) => !(allowed as readonly string[]).includes(one)))
        await refuses(
          prompts[other](bob, id, { reason: 'x' }),
          `It is ${status}, so you cannot ${other} it. ${possible}`,
        )
      if (status !== 'draft')
        await refuses(
          prompts.change(ada, id, { content: 'Other.' }),
          `It is ${status}, and only a draft can be edited; to change its words, make a new version with the same name. ${possible}`,
        )
      expect(await prompts.get(ada, id)).toMatchObject({ status, content: WORDS })
      await prompts[step](bob, id)
    }
  })

  test('gets the next version where its name is there already, and another name counts its own', async () => {
    const { segno } = await segnoUnderTest()
    const { id: workspaceId } = await segno.workspaces.create(ada, { name: 'Elsewhere' })
    const made = [
      await draft(segno),
      await draft(segno),
      await draft(segno, { name: 'Other rules' }),
      await draft(segno, { workspaceId }),
    ]
    expect(made.map(({ name, version }) => [name, version])).toEqual([
      ['House rules', 1],
      ['House rules', 2],
      ['Other rules', 1],
      ['House rules', 1],
    ])
    const renamed = await segno.prompts.change(ada, made[2]?.id ?? '', { name: 'House rules' })
    expect(renamed).toMatchObject({ name: 'House rules', version: 3, editors: [] })
  })

  test('is listed newest first, page by page, by workspace and by status', async () => {
    const it = await segnoUnderTest()
    const adas = await holder(it, 'ada', 'user')
    const { id: workspaceId } = await it.segno.workspaces.create(ada, { name: 'Elsewhere' })
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.unshift((await draft(it.segno)).id)
    const there = await approved(it.segno, { workspaceId })
    const seen: unknown[] = []
    for (let next: string | null = ''; next !== null;) {
      const { body }: Answer = await adas(
        'GET',
        `/api/prompts?workspaceId=system&limit=2${next === '' ? '' : `&cursor=${next}`}`,
      )
      seen.push(...(body['items'] as { id: string }[]).map(({ id }) => id))
      next = body['next'] as string | null
    }
    expect(seen).toEqual(ids)
    const { body } = await adas('GET', '/api/prompts?status=approved')
    expect(body['items']).toMatchObject([{ id: there.id, status: 'approved' }])
    for (const query of ['status=ready', 'limit=0', 'cursor=x', 'stat=draft'])
      expect([query, (await adas('GET', `/api/prompts?${query}`)).status]).toEqual([query, 400])
    expect((await adas('GET', '/api/prompts?workspaceId=nowhere')).status).toBe(404)
  })

  test('is compared with another one, line by line', async () => {
    const it = await segnoUnderTest()
    const adas = await holder(it, 'ada', 'user')
    const before = await draft(it.segno)
    const after = await draft(it.segno, { content: 'You are kind.\nYou are thorough.\nYou ask.' })
    const { status, body } = await adas('GET', `/api/prompts/${after.id}/diff?against=${before.id}`)
    expect([status, body]).toEqual([
      200,
      {
        from: before.id,
        to: after.id,
        diff: '@@ -1,2 +1,3 @@\n You are kind.\n-You are brief.\n+You are thorough.\n+You ask.',
        added: 2,
        removed: 1,
      },
    ])
    const same = await adas('GET', `/api/prompts/${after.id}/diff?against=${after.id}`)
    expect(same.body).toMatchObject({ diff: '', added: 0, removed: 0 })
    const other = await it.segno.prompts.create(rival, { name: 'x', content: 'y' })
    expect((await adas('GET', `/api/prompts/${after.id}/diff?against=${other.id}`)).status).toBe(404)
    expect((await adas('GET', `/api/prompts/${after.id}/diff`)).status).toBe(400)
  })

  test('is made once under an Idempotency-Key', async () => {
    const it = await segnoUnderTest()
    const once = { 'idempotency-key': 'k1' }
    const body = { name: 'House rules', content: WORDS }
    const first = await ask(it, 'POST', '/api/prompts', body, once)
    const again = await ask(it, 'POST', '/api/prompts', body, once)
    expect(again.body).toEqual(first.body)
    const other = await ask(it, 'POST', '/api/prompts', { ...body, content: 'Other.' }, once)
    expect([other.status, other.body['code']]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
    expect((await it.segno.prompts.list({ ...ada, tenant: 'local' })).items).toHaveLength(1)
  })

  test('can be tried by those who wrote words of it, in any status, and by nobody else', async () => {
    const { segno } = await segnoUnderTest()
    const { id } = await draft(segno)
    await segno.prompts.change(bob, id, { content: 'Other words.' })
    for (const who of [ada, bob]) expect(await segno.prompts.trial(who, id)).toMatchObject({ id })
    for (const who of [eve, rival])
      await expect(segno.prompts.trial(who, id)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: `There is no prompt ${id}.`,
      })
  })
})
