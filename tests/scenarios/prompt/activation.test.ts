import { expect, test } from 'vitest'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { activeOnes, ada, approved, bob, draft, holder, rival } from './support.ts'

const codeOf = ({ code }: { code: string }): string => code

verifies('GOV-4', 'a hundred prompts that are activated at once leave exactly one active', async () => {
  const { segno } = await segnoUnderTest()
  const ids: string[] = []
  for (let count = 0; count < 100; count += 1) ids.push((await approved(segno, { content: `Rule ${count}.` })).id)
  const outcomes = await Promise.all(
    ids.map((id) => segno.prompts.activate(bob, id).then(({ status }) => status, codeOf)),
  )
  expect(new Set(outcomes)).toEqual(new Set(['active']))
  const [only, ...more] = await activeOnes(segno)
  expect(more).toEqual([])
  expect(ids).toContain(only)
  expect(await segno.prompts.activeFor('acme', 'system')).toMatchObject({ id: only })
  const { items } = await segno.prompts.list(ada, { status: 'deprecated', limit: 200 })
  expect(items).toHaveLength(99)
})

verifies('GOV-4', 'one prompt that is activated a hundred times at once is activated once', async () => {
  const it = await segnoUnderTest()
  const bobs = await holder(it, 'bob', 'editor')
  const { id } = await approved(it.segno)
  const answers = await Promise.all(Array.from({ length: 100 }, () => bobs('POST', `/api/prompts/${id}/activate`)))
  const good = answers.filter(({ status }) => status === 200)
  expect(good).toHaveLength(1)
  for (const { status, body } of answers.filter((one) => one !== good[0])) {
    expect([status, body['code']]).toEqual([409, 'CONFLICT'])
    expect(body['detail']).toMatch(/^(?:Somebody changed this prompt meanwhile|It is active, so you cannot activate)/)
  }
  expect(await activeOnes(it.segno)).toEqual([id])
})

test('of two people who change a draft at once, one is told to look again, unless they read it after the other', async () => {
  const { segno } = await segnoUnderTest()
  const { id, revision } = await draft(segno)
  const outcomes = await Promise.all(
    [ada, bob].map((who) =>
      segno.prompts.change(who, id, { content: `Words of ${who.id}.` }).then(({ content }) => content, codeOf),
    ),
  )
  const now = await segno.prompts.get(ada, id)
  const stored = outcomes.filter((outcome) => outcome !== 'CONFLICT')
  expect(stored).toContain(now.content)
  expect(now.revision).toBe(revision + stored.length)
})

verifies(
  'GOV-4',
  'a workspace uses its own active prompt, else that of system, and an earlier one comes back',
  async () => {
    const { segno } = await segnoUnderTest()
    const { prompts } = segno
    const { id: workspaceId } = await segno.workspaces.create(ada, { name: 'Elsewhere' })
    const used = async (): Promise<string | undefined> => (await prompts.activeFor('acme', workspaceId))?.content
    expect(await used()).toBeUndefined()
    const systems = await prompts.activate(bob, (await approved(segno, { content: 'Of system.' })).id)
    expect(await used()).toBe('Of system.')
    const first = await prompts.activate(bob, (await approved(segno, { workspaceId, content: 'First.' })).id)
    expect(await used()).toBe('First.')
    const second = await prompts.activate(bob, (await approved(segno, { workspaceId, content: 'Second.' })).id)
    expect(await used()).toBe('Second.')
    expect(await prompts.get(ada, first.id)).toMatchObject({ status: 'deprecated' })
    expect(await prompts.get(ada, systems.id)).toMatchObject({ status: 'active' })
    const back = await prompts.activate(bob, first.id, { reason: 'the second one was rude' })
    expect(back).toMatchObject({ status: 'active', reason: 'the second one was rude', reviewer: 'bob' })
    expect([await used(), (await prompts.get(ada, second.id)).status]).toEqual(['First.', 'deprecated'])
    await prompts.deprecate(bob, first.id)
    expect(await used()).toBe('Of system.')
    await prompts.deprecate(bob, systems.id)
    expect(await used()).toBeUndefined()
  },
)

test('tenants have active prompts of their own', async () => {
  const { segno } = await segnoUnderTest()
  const { id } = await segno.prompts.activate(bob, (await approved(segno)).id)
  expect(await segno.prompts.activeFor('rival', 'system')).toBeUndefined()
  expect(await activeOnes(segno, rival)).toEqual([])
  expect(await activeOnes(segno)).toEqual([id])
})

verifies('GOV-4', 'a prompt over the budget may be written and approved, and is never active', async () => {
  const it = await segnoUnderTest({ limits: { SYSTEM_TOKENS: 10 } })
  const bobs = await holder(it, 'bob', 'editor')
  const { id, tokens } = await approved(it.segno, {
    content: 'one two three four five six seven eight nine ten eleven',
  })
  expect(tokens).toBe(11)
  const { status, body } = await bobs('POST', `/api/prompts/${id}/activate`)
  expect([status, body['code'], body['detail']]).toEqual([
    429,
    'TOKEN_LIMIT',
    'It has 11 tokens, and an active prompt may have 10 (limit SYSTEM_TOKENS). Make a shorter version of it.',
  ])
  expect(await activeOnes(it.segno)).toEqual([])
  expect((await it.segno.prompts.get(ada, id)).status).toBe('approved')
})

verifies('GOV-4', 'is still there after a restart', async () => {
  const it = await segnoUnderTest()
  const { id } = await it.segno.prompts.activate(bob, (await approved(it.segno)).id)
  await it.reopen()
  expect(await activeOnes(it.segno)).toEqual([id])
})
