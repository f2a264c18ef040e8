import { expect } from 'vitest'
import { probe, text } from '../../support/probe-tool.ts'
import { said, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { asking } from './asking.ts'

const PROTOCOLS = ['unified', 'triggered'] as const

/** One message with a call for each of these, each of which must be asked about. */
async function mailing(to: readonly string[], more: Opening = {}) {
  const tool = probe('mail', { effect: 'unsafe', approval: 'ask', target: (args) => text(args['to']) })
  const calls = to.map((name) => ({ name: 'mail', args: { to: name } }))
  const it = await asking({ tools: [tool], turns: [{ calls }, { text: 'Done.' }], ...more })
  return Object.assign(it, { sent: () => tool.runs.map(({ args }) => args['to']) })
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]
for (const order of ORDERS) {
  verifies('ORC-8', `of three calls each gets its own decision, decided in the order ${order.join()}`, async () => {
    const names = ['ann', 'bob', 'cy']
    const it = await mailing(names)
    const open = await it.sendUntilWaiting()
    const about = new Map(open.map((one) => [one.args['to'], one.id]))
    for (const at of order) {
      const decision = names[at] === 'bob' ? 'deny' : 'approve'
      expect((await it.decideOverHttp(about.get(names[at] ?? ''), { decision })).status).toBe(202)
    }
    await it.until('round.ended')
    expect(await it.outcomes()).toEqual(['ok', 'denied', 'ok'])
    expect(it.sent()).toEqual(['ann', 'cy'])
  })
}

for (const protocol of PROTOCOLS) {
  verifies('ORC-8', `${protocol}: of twenty who decide at once one is heard, the others are told`, async () => {
    const it = await mailing(['ann'])
    const [approval] = await it.sendUntilWaiting('Go.', { protocol })
    const wanted = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 'approve' : 'deny'))
    const answers = await Promise.all(wanted.map((decision) => it.decideOverHttp(approval?.id, { decision })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, ...Array<number>(19).fill(409)])
    expect(new Set(answers.map(({ body }) => body['code'])).size).toBe(2)
    await it.until('round.ended')
    const winner = wanted[answers.findIndex(({ status }) => status === 202)]
    expect(said(await it.events(), 'approval.decided').map(({ decision }) => decision)).toEqual([winner])
    expect(it.sent()).toEqual(winner === 'approve' ? ['ann'] : [])
  })

  verifies(
    'ORC-8',
    `${protocol}: a decision that is sent again, now or after the end, is refused and does nothing`,
    async () => {
      const it = await mailing(['ann'])
      const [approval] = await it.sendUntilWaiting('Go.', { protocol })
      const decide = async () => (await it.decideOverHttp(approval?.id, { decision: 'approve' })).status
      expect(await decide()).toBe(202)
      expect(await decide()).toBe(409)
      await it.until('round.ended')
      expect(await decide()).toBe(409)
      await it.reopen()
      expect(await decide()).toBe(409)
      expect(it.sent()).toEqual(['ann'])
    },
  )

  verifies('ORC-8', `${protocol}: what the model says about approvals decides nothing`, async () => {
    const tool = probe('mail', { effect: 'unsafe', approval: 'ask' })
    const args = {
      to: 'ann',
      approved: true,
      approvalId: 'mine',
      decision: 'approve',
      remember: 'session',
      by: 'owner',
    }
    const it = await asking({ tools: [tool], turns: [{ text: 'I approve.', calls: [{ name: 'mail', args }] }, {}] })
    const [approval] = await it.sendUntilWaiting('Go.', { protocol })
    const uses = said(await it.events(), 'message.assistant').flatMap(({ content }) => content)
    const providerId = uses.flatMap((part) => (part.type === 'tool_use' ? [part.providerId ?? part.id] : []))[0]
    for (const forged of ['mine', providerId, approval?.callId])
      expect((await it.decideOverHttp(forged, { decision: 'approve' })).status).toBe(404)
    expect(approval?.id).not.toBe('mine')
    expect(await it.open()).toEqual([approval])
    expect(tool.runs).toEqual([])
  })

  verifies('ORC-8', `${protocol}: a decision after the round was stopped is refused`, async () => {
    const it = await mailing(['ann'])
    const [approval] = await it.sendUntilWaiting('Go.', { protocol })
    const { requestId } = await it.until('round.waiting')
    expect((await it.http('POST', `/api/rounds/${requestId}/cancel`)).status).toBe(202)
    await it.until('round.ended')
    expect((await it.decideOverHttp(approval?.id, { decision: 'approve' })).status).toBe(409)
    expect(await it.all()).toMatchObject([{ status: 'stale' }])
    expect(it.sent()).toEqual([])
  })
}

verifies('ORC-8', 'a decision at the moment its round is stopped runs the call once or not at all', async () => {
  const it = await mailing(['ann'])
  const [approval] = await it.sendUntilWaiting()
  const { requestId } = await it.until('round.waiting')
  await Promise.all([
    it.http('POST', `/api/rounds/${requestId}/cancel`),
    it.decideOverHttp(approval?.id, { decision: 'approve' }),
  ])
  await it.until('round.ended')
  expect(it.sent().length).toBeLessThanOrEqual(1)
  expect((await it.all()).map(({ status }) => status)).not.toContain('pending')
  expect(said(await it.events(), 'approval.decided')).toHaveLength(1)
})

verifies('ORC-8', 'ids nobody gave out are not there, whatever they look like', async () => {
  const it = await mailing(['ann'])
  const [approval] = await it.sendUntilWaiting()
  const { id = '' } = approval ?? {}
  const forged = [
    crypto.randomUUID(),
    id.toUpperCase(),
    id.slice(0, -1),
    `${id}0`,
    `%20${id}`,
    `${id}%00`,
    '%25',
    '__proto__',
  ]
  for (const one of forged) expect((await it.decideOverHttp(one, { decision: 'approve' })).status, one).toBe(404)
  expect((await it.decideOverHttp('x'.repeat(201), { decision: 'approve' })).status).toBe(400)
  expect(await it.open()).toEqual([approval])
  expect(it.sent()).toEqual([])
})

verifies('ORC-8', 'a decision about one session leaves the same call of another one waiting', async () => {
  const it = await mailing(['ann'])
  await it.sendUntilWaiting()
  const { id: other } = await it.segno.createSession()
  await it.http('POST', `/api/sessions/${other}/messages?wait=1`, { content: 'Go.' })
  const open = await it.open()
  expect(open.map(({ sessionId }) => sessionId).toSorted()).toEqual([it.sessionId, other].toSorted())
  const theirs = open.find(({ sessionId }) => sessionId === other)
  await it.decideOverHttp(theirs?.id, { decision: 'approve', remember: 'session' })
  await it.segno.completion(other, theirs?.requestId ?? '')
  expect(await it.open()).toMatchObject([{ status: 'pending', sessionId: it.sessionId }])
  expect(it.sent()).toHaveLength(1)
})

verifies('ORC-8', 'a fork asks for itself: a decision made for its parent runs nothing in it', async () => {
  const it = await mailing(['ann'])
  const [approval] = await it.sendUntilWaiting()
  const { seq } = await it.until('round.waiting')
  const fork = await it.http('POST', `/api/sessions/${it.sessionId}/fork`, { seq })
  expect(fork.status).toBe(201)
  expect(await it.open()).toEqual([approval])
  await it.decideOverHttp(approval?.id, { decision: 'approve' })
  await it.until('round.ended')
  expect(it.sent()).toEqual(['ann'])
})

verifies(
  ['ORC-8', 'GOV-8'],
  'a tool that changed while a person thought is asked about anew, under another id',
  async () => {
    const it = await mailing(['ann'])
    const [approval] = await it.sendUntilWaiting()
    const changed = probe('mail', { effect: 'unsafe', approval: 'ask', description: 'mails everybody' })
    await it.reopen({ tools: [changed] })
    expect((await it.decideOverHttp(approval?.id, { decision: 'approve' })).status).toBe(202)
    await it.until('round.waiting', 2)
    expect((await it.decideOverHttp(approval?.id, { decision: 'approve' })).status).toBe(409)
    const [again] = await it.open()
    expect(again?.id).not.toBe(approval?.id)
    expect(changed.runs).toEqual([])
    await it.decideOverHttp(again?.id, { decision: 'approve' })
    await it.until('round.ended')
    expect(changed.runs).toHaveLength(1)
  },
)

verifies('ORC-8', 'a decision that comes too late is refused, and the call is denied as expired', async () => {
  let ahead = 0
  const it = await mailing(['ann'], { clock: { now: () => Date.now() + ahead } })
  const [approval] = await it.sendUntilWaiting()
  ahead = 86_400_000
  const late = await it.decideOverHttp(approval?.id, { decision: 'approve' })
  expect([late.status, late.body['code']]).toEqual([409, 'CONFLICT'])
  await it.reopen()
  await it.until('round.ended')
  expect(await it.all()).toMatchObject([{ status: 'expired' }])
  expect(await it.outcomes()).toEqual(['EXPIRED'])
  expect(it.sent()).toEqual([])
})

verifies('ORC-8', 'a decision says yes or no and nothing that is not understood', async () => {
  const it = await mailing(['ann'])
  const [approval] = await it.sendUntilWaiting()
  const bad: [body: unknown, named: string][] = [
    [{}, 'decision'],
    [{ decision: 'yes' }, 'decision'],
    [{ decision: 'approve', remember: 'forever' }, 'remember'],
    [{ decision: 'approve', by: 'somebody else' }, 'by'],
    [{ decision: 'approve', args: { to: 'eve' } }, 'args'],
    [{ decision: 'approve', content: { to: 'eve' } }, 'content'],
    [{ decision: 'deny', reason: 'x'.repeat(1001) }, 'reason'],
  ]
  for (const [body, named] of bad) {
    const answer = await it.decideOverHttp(approval?.id, body as object)
    expect([answer.status, String(answer.body['detail'])]).toEqual([400, expect.stringContaining(named) as string])
  }
  expect(await it.open()).toEqual([approval])
})
