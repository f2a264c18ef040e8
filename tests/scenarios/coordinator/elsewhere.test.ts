import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { newId } from '../../../src/lib/id.ts'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { twoNodes } from './support/two-nodes.ts'

async function stage() {
  const hold = gateTool('hold', { effect: 'unsafe' })
  const mail = probe('mail', { effect: 'unsafe' })
  const turns = [{ calls: [{ name: 'hold' }, { name: 'mail' }] }, { text: 'There.' }]
  const nodes = await twoNodes({ model: { scenarios: [{ when: '^hold', turns }] }, tools: [hold, mail] })
  return { ...nodes, hold, mail, ...(await nodes.holding(hold.entered)) }
}

verifies(
  ['REL-3', 'COO-2'],
  'a message for a session that another node owns is stored, and answered there',
  async () => {
    const { one, two, wakes, hold, id, requestId } = await stage()
    const sent = await two.rounds.send(LOCAL_OWNER, id, 'and then?')
    expect(sent).toMatchObject({ state: 'queued', sessionId: id })
    expect(wakes).toEqual([['one', id]])
    expect((await problemOf(two.rounds.send(LOCAL_OWNER, id, 'now', { onBusy: 'reject' }))).code).toBe('BUSY')
    // Who is told twice, and looks by itself too, takes it once.
    for (const look of [one.coordinator.wake, one.coordinator.wake, one.coordinator.rescue]) await look(id)
    const answers = [two.segno.completion(id, requestId), two.segno.completion(id, sent.requestId)]
    hold.open()
    expect(await Promise.all(answers)).toMatchObject([{ content: 'There.' }, { content: 'Echo: and then?' }])
    await one.coordinator.settled(id, true)
    expect((await two.store.read(id)).filter(({ type }) => type === 'message.user')).toHaveLength(2)
    expect(one.coordinator.stats().live).toBe(1)
    expect(await two.store.unfinished()).toEqual([])
  },
)

verifies(
  'COO-4',
  'of messages that will not wait, sent at once from elsewhere, an idle session takes one',
  async () => {
    const { one, two } = await twoNodes({})
    const { id } = await one.sessions.create(LOCAL_OWNER)
    await one.coordinator.wake(id)
    const sends = ['a', 'b', 'c'].map((text) => two.rounds.send(LOCAL_OWNER, id, text, { onBusy: 'reject' }))
    const answers = await Promise.allSettled(sends)
    const taken = answers.filter(({ status }) => status === 'fulfilled')
    expect(taken).toMatchObject([{ value: { state: 'queued' } }])
    const refused = answers.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'BUSY' } }, { reason: { code: 'BUSY' } }])
  },
)

verifies('REL-3', 'what another node stored acts when the owner is woken, or looks around by itself', async () => {
  for (const how of ['wake', 'rescue'] as const) {
    const { one, two, wakes, hold, mail, id, requestId } = await stage()
    await two.rounds.cancel(LOCAL_OWNER, id, requestId)
    expect(wakes).toEqual([['one', id]])
    // Who only reads the session where it is owned does not keep the owner from finding it.
    await one.sessions.get(LOCAL_OWNER, id)
    await (how === 'wake' ? one.coordinator.wake(id) : one.coordinator.rescue())
    expect(await two.segno.completion(id, requestId)).toMatchObject({ finishReason: 'cancelled' })
    expect([hold.runs.length, mail.runs.length]).toEqual([1, 0])
  }
})

verifies('REL-3', 'a change from elsewhere is seen at once and done later', async () => {
  const { one, two, hold, id, requestId } = await stage()
  await two.sessions.change(LOCAL_OWNER, id, { title: 'Holding' })
  expect(await two.sessions.archive(LOCAL_OWNER, id)).toBe('later')
  for (const node of [one, two])
    expect(await node.sessions.get(LOCAL_OWNER, id)).toMatchObject({ title: 'Holding', archived: true })
  expect(await two.store.session(id)).toMatchObject({ title: 'New conversation', archived: false })
  await one.coordinator.wake(id)
  hold.open()
  await two.segno.completion(id, requestId)
  await one.coordinator.settled(id, true)
  expect(await two.store.session(id)).toMatchObject({ title: 'Holding', archived: true })
  expect((await problemOf(two.sessions.clear(LOCAL_OWNER, newId()))).code).toBe('NOT_FOUND')
})

verifies(
  'REL-3',
  'what a node stored before it died is found by the owner, or by whoever looks where there is none',
  async () => {
    const { one, two, hold, id, requestId } = await stage()
    const archive = (sessionId: string) => {
      const inputId = newId()
      return { id: inputId, sessionId, key: inputId, at: Date.now(), body: { kind: 'archive', by: 'owner' } } as const
    }
    await two.store.putInput(archive(id))
    const idle = await one.sessions.create(LOCAL_OWNER)
    await one.store.putInput(archive(idle.id))
    await two.coordinator.rescue()
    await two.coordinator.settled(idle.id, true)
    expect(await one.store.session(idle.id)).toMatchObject({ archived: true })
    expect(await two.store.pendingInputs(id)).toHaveLength(1)
    await one.coordinator.rescue()
    hold.open()
    await one.segno.completion(id, requestId)
    await one.coordinator.settled(id, true)
    expect(await one.store.session(id)).toMatchObject({ archived: true })
  },
)

verifies('REL-3', 'a round that another living node drives is left to it', async () => {
  const { one, two, hold, mail, id, requestId } = await stage()
  const before = await one.store.read(id)
  await two.coordinator.rescue()
  expect(two.coordinator.stats().live).toBe(0)
  expect(await one.store.read(id)).toEqual(before)
  hold.open()
  expect(await one.segno.completion(id, requestId)).toMatchObject({ finishReason: 'complete' })
  expect([hold.runs.length, mail.runs.length]).toEqual([1, 1])
})

verifies(
  'REL-3',
  'an owner whose time was over while its call ran stores nothing more and starts nothing more',
  async () => {
    const { one, two, hold, mail, id, requestId } = await stage()
    const following = two.segno.completion(id, requestId)
    one.lease.until = 0
    await two.coordinator.rescue()
    expect(await following).toMatchObject({
      finishReason: 'complete',
      calls: [
        { name: 'hold', outcome: 'unknown' },
        { name: 'mail', outcome: 'ok' },
      ],
    })
    const stored = await two.store.read(id)
    hold.open()
    await one.coordinator.settled(id, true)
    expect(await two.store.read(id)).toEqual(stored)
    expect([hold.runs.length, mail.runs.length]).toEqual([1, 1])
    expect(one.coordinator.stats().live).toBe(0)
  },
)

verifies(
  ['REL-3', 'REL-1'],
  'a message to a session that was taken over meanwhile is stored for its new owner',
  async () => {
    const { one, two, wakes, hold, id, requestId } = await stage()
    hold.open()
    await one.segno.completion(id, requestId)
    await one.coordinator.settled(id, true)
    one.lease.until = 0
    await two.coordinator.wake(id)
    one.lease.until = Infinity
    const sent = await one.rounds.send(LOCAL_OWNER, id, 'still there?')
    expect(sent.state).toBe('queued')
    expect(wakes).toEqual([['two', id]])
    await two.coordinator.rescue()
    expect(await one.segno.completion(id, sent.requestId)).toMatchObject({ content: 'Echo: still there?' })
  },
)

verifies('REL-3', 'what a node knew of a session that was taken over since is not what it goes by', async () => {
  const { one, two, hold, id, requestId } = await stage()
  hold.open()
  await one.segno.completion(id, requestId)
  await one.coordinator.settled(id, true)
  one.lease.until = 0
  await two.coordinator.wake(id)
  one.lease.until = Infinity
  expect(await two.sessions.archive(LOCAL_OWNER, id)).toBe('done')
  expect((await problemOf(one.rounds.send(LOCAL_OWNER, id, 'still there?'))).code).toBe('CONFLICT')
  expect(one.coordinator.stats().live).toBe(0)
})

verifies('REL-3', 'a session that one node cannot open is not kept from the other', async () => {
  const { one, two } = await twoNodes({})
  const { id } = await one.sessions.create(LOCAL_OWNER)
  const { snapshot } = one.store
  one.store.snapshot = () => Promise.reject(new Error('the disk cannot be read'))
  await expect(one.rounds.send(LOCAL_OWNER, id, 'hello')).rejects.toThrow('cannot be read')
  one.store.snapshot = snapshot
  expect(await two.rounds.send(LOCAL_OWNER, id, 'hello')).toMatchObject({ state: 'running' })
})

verifies('COO-1', 'who follows on one node sees what another stores, in order and once', async () => {
  const { one, two, hold, id, requestId } = await stage()
  const seen: number[] = []
  const following = (async () => {
    for await (const frame of two.segno.follow(id)) {
      if (frame.kind !== 'event') continue
      seen.push(frame.event.seq)
      if (frame.event.type === 'session.deleted') return 'told'
    }
    return 'over'
  })()
  hold.open()
  await one.segno.completion(id, requestId)
  const next = await one.rounds.send(LOCAL_OWNER, id, 'more')
  await one.segno.completion(id, next.requestId)
  const stored = (await one.store.read(id)).map(({ seq }) => seq)
  await expect.poll(() => seen).toEqual(stored)
  await one.sessions.delete(LOCAL_OWNER, id)
  expect(await following).toBe('over')
})

verifies(['REL-3', 'GOV-7'], 'a round is continued once where it is owned, whichever nodes are asked', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'auto' })
  const write = (to: string) => ({ calls: [{ name: 'mail', args: { to } }] })
  const turns = [write('ann'), write('bob'), { text: 'Written.' }]
  const { one, two } = await twoNodes({ model: { scenarios: [{ when: '', turns }] }, tools: [mail] })
  const { id } = await one.sessions.create(LOCAL_OWNER)
  const { requestId } = await one.rounds.send(LOCAL_OWNER, id, 'write', { limits: { maxToolCalls: 1 } })
  expect(await one.segno.completion(id, requestId)).toMatchObject({ finishReason: 'tool_limit' })
  const asked = [two, one, two].map(({ rounds }) => rounds.continue(LOCAL_OWNER, requestId))
  const next = new Set((await Promise.all(asked)).map((accepted) => accepted.requestId))
  expect(next.size).toBe(1)
  await one.coordinator.wake(id)
  const [again = ''] = next
  expect(await two.segno.completion(id, again)).toMatchObject({ finishReason: 'tool_limit' })
  expect(mail.runs.map(({ args }) => args['to'])).toEqual(['ann', 'bob'])
  expect((await two.store.read(id)).filter(({ type }) => type === 'round.started')).toHaveLength(2)
})
