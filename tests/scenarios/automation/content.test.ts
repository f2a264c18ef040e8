import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { automated, heldClock, type Automated } from './support/automated.ts'
import type { Opening } from '../../support/segno-under-test.ts'

const WORDS = {
  question: 'Where is Ann?',
  answer: 'Ann is in Kigali.',
  argument: 'ann@example.org',
  output: 'no paper',
}

const ALL = ['*']

/** Segno in which a message, a call that fails and an approval have words of their own. */
const talking = (more: Opening = {}) =>
  automated({
    tools: [
      probe('send', { effect: 'unsafe', approval: 'ask' }),
      probe('breaks', {
        run: () => {
          throw new Error(WORDS.output)
        },
      }),
    ],
    script: {
      scenarios: [
        { when: 'Send', turns: [{ calls: [{ name: 'send', args: { to: WORDS.argument } }] }, { text: 'Done.' }] },
        { when: 'Break', turns: [{ calls: [{ name: 'breaks', args: { to: WORDS.argument } }] }, { text: 'Broken.' }] },
        { when: '', turns: [{ text: WORDS.answer }] },
      ],
    },
    ...more,
  })

const told = (it: Automated, content: boolean, events = ALL, actor: Actor = LOCAL_OWNER) =>
  it.segno.webhooks.create(actor, { url: `${it.outside.origin}/told`, events, content })

/** What was told of one type, as it was sent. */
const dataOf = (it: Automated, type: string) =>
  it.outside.all.filter(({ json }) => json['type'] === type).map(({ json }) => json['data'])

/** Makes each kind of event happen, and waits until so many deliveries have come. */
async function everything(it: Automated, deliveries = 10): Promise<void> {
  await it.ask(WORDS.question)
  await it.ask('Break.')
  const { approvals, round } = await it.askUntilWaiting('Send.')
  await it.decide(approvals[0], 'deny', { reason: WORDS.question })
  await round.completion
  await it.report('user.signup', { text: WORDS.question })
  await expect.poll(() => it.outside.all).toHaveLength(deliveries)
}

describe('a webhook without content', () => {
  test('is told ids, types, sizes and a link, and not one word or argument', async () => {
    const it = await talking()
    await told(it, false)
    await told(it, false, ['user.signup'])
    await everything(it, 11)
    const bodies = it.outside.all.map(({ body }) => body).join('\n')
    for (const words of Object.values(WORDS)) expect(bodies).not.toContain(words)
    expect(dataOf(it, 'chat.message.created')).toContainEqual(
      expect.objectContaining({ role: 'user', chars: WORDS.question.length }),
    )
    expect(dataOf(it, 'user.signup')).toContainEqual({ chars: JSON.stringify({ text: WORDS.question }).length })
    expect(new Set(it.outside.all.map(({ json }) => json['type']))).toEqual(
      new Set([
        'chat.message.created',
        'tool.invocation.failed',
        'approval.requested',
        'approval.completed',
        'user.signup',
      ]),
    )
  })
})

describe('a webhook with content', () => {
  test('is told the words of whoever made it may read them all', async () => {
    const it = await talking()
    await told(it, true)
    await everything(it)
    for (const text of [WORDS.question, WORDS.answer])
      expect(dataOf(it, 'chat.message.created')).toContainEqual(expect.objectContaining({ content: { text } }))
    expect(dataOf(it, 'tool.invocation.failed')).toMatchObject([
      { content: { args: { to: WORDS.argument }, result: expect.stringContaining(WORDS.output) as string } },
    ])
    expect(dataOf(it, 'approval.requested')).toMatchObject([{ content: { args: { to: WORDS.argument } } }])
    expect(dataOf(it, 'approval.completed')).toMatchObject([{ content: { reason: WORDS.question } }])
    expect(dataOf(it, 'user.signup')).toMatchObject([{ content: { text: WORDS.question } }])
  })

  test('is made only by somebody who may read everything, and not changed into one by others', async () => {
    const it = await talking()
    const { key, actor } = await it.person('ann', 'admin')
    const scoped: Actor = { ...actor, permissions: ['workflow:manage', 'chat:read'] }
    await expect(told(it, true, ALL, scoped)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    const { id } = await told(it, false, ALL, scoped)
    // Somebody who may read all cannot have it sent as somebody who may not.
    const changed = await it.call('PATCH', `/api/webhooks/${id}`, { content: true }, { key })
    expect([changed.status, changed.body['code']]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('gets no words any more once whoever made it lost the right to read them', async () => {
    const it = await talking()
    const { actor, keyId } = await it.person('ann', 'admin')
    await told(it, true, ['chat.message.created', 'user.signup'], actor)
    await it.ask(WORDS.question)
    await it.report('user.signup', { text: WORDS.question })
    await expect.poll(() => it.outside.all.length).toBe(3)
    expect(it.outside.all.filter(({ json }) => JSON.stringify(json).includes('content'))).toHaveLength(3)

    await it.segno.keys.revoke(LOCAL_OWNER, keyId)
    await it.person('ann', 'editor')
    await it.ask(WORDS.question)
    await it.report('user.signup', { text: WORDS.question })
    await expect.poll(() => it.outside.all.length).toBe(6)
    const later = it.outside.all.slice(3).map(({ body }) => body)
    for (const words of [...Object.values(WORDS), 'content']) expect(later.join('\n')).not.toContain(words)
  })

  test('gets no words in what still waits to be sent once it is one without', async () => {
    const clock = heldClock()
    const it = await talking({ clock })
    it.outside.answer(() => 500)
    const { id } = await told(it, true, ['user.signup'])
    await it.report('user.signup', { text: WORDS.question })
    expect((await it.outside.until('/told')).body).toContain(WORDS.question)
    await expect.poll(async () => (await it.deliveries(id))[0]?.inDoubt).toBeUndefined()
    await it.segno.webhooks.change(LOCAL_OWNER, id, { content: false })
    clock.pass(5000)
    expect((await it.outside.until('/told', 2)).json['data']).toEqual({
      chars: JSON.stringify({ text: WORDS.question }).length,
    })
  })

  test('gets no words of a message that was deleted before they could be sent', async () => {
    const clock = heldClock()
    const it = await talking({ clock })
    it.outside.answer(() => 500)
    const { id } = await told(it, true, ['chat.message.created'])
    const { events } = await it.ask(WORDS.question)
    await it.outside.until('/told', 2)
    await expect
      .poll(async () => (await it.deliveries(id)).map(({ inDoubt }) => inDoubt))
      .toEqual([undefined, undefined])
    const question = events.find(({ type }) => type === 'message.user')
    await it.segno.sessions.deleteMessage(LOCAL_OWNER, it.sessionId, question?.id ?? '')
    clock.pass(5000)
    await it.outside.until('/told', 4)
    const later = it.outside.all.slice(2).map(({ body }) => body)
    expect(later.join('\n')).not.toContain(WORDS.question)
  })
})
