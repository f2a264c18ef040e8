import { describe, expect, onTestFinished, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { createBuiltInEmbedder } from '../../../src/model/embedding/index.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { said } from '../../support/segno-under-test.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { newHome } from '../account/support/cli.ts'
import { DIMENSIONS, embeddingServer } from '../embedding/support/embedding-server.ts'
import { ask } from '../http/ask.ts'
import { contentsOf, memoriesOf, rememberingSegno, remembers } from './support.ts'

const bob: Actor = { ...LOCAL_OWNER, id: 'bob' }

describe.each(['unified', 'triggered'] as const)('what is remembered, in a %s round', (protocol) => {
  verifies(
    ['GOV-18', 'GOV-5'],
    'is told with consent only, as data, and nothing of it once it is withdrawn',
    async () => {
      const it = await rememberingSegno({ repeat: true, turns: [{ text: 'Hello.' }] })
      await it.segno.memories.add(LOCAL_OWNER, { content: 'Likes zanzibar tea' })
      await it.segno.memories.add(bob, { content: 'Likes madagascar cake' })
      const told = async (): Promise<string> => {
        const { id } = await it.segno.createSession()
        const { events } = await it.ask('What do I drink?', { protocol, sessionId: id })
        expect(JSON.stringify(events)).not.toContain('zanzibar')
        return JSON.stringify(it.requests.at(-1)?.prompt)
      }
      expect(await told()).toMatch(/untrusted-data \w+>\\n- Likes zanzibar tea\\n/)
      expect(await told()).not.toContain('madagascar')
      await it.segno.preferences.put(LOCAL_OWNER, { allowMemory: false })
      expect(await told()).not.toContain('zanzibar')
      expect(contentsOf(await memoriesOf(it))).toEqual(['Likes zanzibar tea'])
      await it.segno.preferences.put(LOCAL_OWNER, { allowMemory: true })
      expect(await told()).toContain('zanzibar')
      await it.segno.memories.forget(LOCAL_OWNER)
      expect(await told()).not.toContain('zanzibar')
    },
  )

  verifies('GOV-5', 'is not told again in the same conversation either, once consent is withdrawn', async () => {
    const it = await rememberingSegno({ repeat: true, turns: [{ text: 'Hello.' }] })
    await it.segno.memories.add(LOCAL_OWNER, { content: 'Likes zanzibar tea' })
    const told = async (): Promise<string> => {
      await it.ask('What do I drink?', { protocol })
      return JSON.stringify(it.requests.at(-1)?.prompt)
    }
    for (const allowMemory of [true, false, true]) {
      await it.segno.preferences.put(LOCAL_OWNER, { allowMemory })
      expect((await told()).includes('zanzibar')).toBe(allowMemory)
    }
  })

  verifies('GOV-18', 'does not taint, and is shown erased once it is deleted', async () => {
    const it = await rememberingSegno({ repeat: true, turns: [{ text: 'Noted. [REMEMBER: likes cake]' }] })
    const { id } = await it.segno.memories.add(LOCAL_OWNER, { content: 'Likes zanzibar tea' })
    const { events } = await it.ask('What do I drink?', { protocol })
    const requestId = events[0]?.requestId ?? ''
    expect(said(events, 'turn.started')[0]?.retrieved).toMatchObject([{ kind: 'memory', memoryId: id }])
    expect(said(events, 'message.assistant')[0]?.remembers).toEqual([{ content: 'likes cake' }])
    const prompt = async () => JSON.stringify((await ask(it, 'GET', `/api/rounds/${requestId}/prompt`)).body)
    expect(await prompt()).toContain('zanzibar')
    await it.segno.memories.remove(LOCAL_OWNER, id)
    expect(await prompt()).not.toContain('zanzibar')
    expect(await prompt()).toContain('"erased":true')
  })
})

test('what was noted in one conversation is told in the next one', async () => {
  const it = await rememberingSegno({
    script: { scenarios: [{ when: 'I like', turns: [remembers('Likes zanzibar tea'), { text: 'Noted.' }] }] },
  })
  await it.ask('I like zanzibar tea.')
  const { id } = await it.segno.createSession()
  await it.ask('What do I drink?', { sessionId: id })
  expect(JSON.stringify(it.requests.at(-1)?.prompt)).toContain('- Likes zanzibar tea')
})

test('memories without a vector of the model in use get one in the background', async () => {
  const it = await rememberingSegno({ repeat: true, turns: [{ text: 'Hello.' }], limits: { RETRIEVAL_MS: 1 } })
  const { id } = await it.segno.memories.add(LOCAL_OWNER, { content: 'Likes tea' })
  const vector = async () => {
    const [memory] = await it.segno.memories.usable(LOCAL_OWNER.tenant, LOCAL_OWNER.id)
    return memory?.vector?.model
  }
  await it.reopen({ limits: {} })
  await it.ask('What do I drink?')
  await expect.poll(vector).toBe(createBuiltInEmbedder().key)
  const { createdAt, updatedAt } = await it.segno.memories.get(LOCAL_OWNER, id)
  expect(updatedAt).toBe(createdAt)
})

verifies('GOV-18', 'what was said before all was forgotten does not come back with a job that waited', async () => {
  const it = await rememberingSegno({ turns: [{ text: '[REMEMBER: likes tea] Noted.' }] })
  const { events } = await it.ask('Hello')
  await expect.poll(async () => (await memoriesOf(it)).length).toBe(1)
  const [answer] = events.filter(({ type }) => type === 'message.assistant')
  await it.segno.memories.forget(LOCAL_OWNER)
  await it.segno.close()
  const store = await openStoreOf(it.home)
  const { epoch, head } = (await store.claim(it.sessionId)) as { epoch: number; head: number }
  const payload = { sessionId: it.sessionId, seq: answer?.seq ?? 0 }
  const jobs = [{ kind: 'remember', payload, runAt: 0 }]
  await store.commit({ sessionId: it.sessionId, epoch, expected: head, events: [], jobs })
  await store.release(it.sessionId)
  await store.close()
  await it.reopen()
  await expect.poll(async () => (await it.segno.jobs.list(LOCAL_OWNER)).items).toEqual([])
  expect(await memoriesOf(it)).toEqual([])
})

test('what is said after all was forgotten by a clock that was a year ahead is noted', async () => {
  let ahead = 365 * 86_400_000
  const clock = { now: () => Date.now() + ahead }
  const it = await rememberingSegno({ turns: [{ text: '[REMEMBER: likes tea] Noted.' }], clock })
  await it.segno.memories.forget(LOCAL_OWNER)
  ahead = 0
  await it.ask('Hello')
  await expect.poll(async () => contentsOf(await memoriesOf(it))).toEqual(['likes tea'])
})

verifies(
  'GOV-18',
  'what a process that lived shortly left to be noted is noted as soon as the next one starts',
  async () => {
    const home = newHome()
    const model = { scenarios: [{ when: '', turns: [{ text: '[REMEMBER: likes tea] Noted.' }] }] }
    const open = () => composeUnderTest({ home, env: {}, model }, { jobsEveryMs: 3_600_000 })
    const first = await open()
    await first.preferences.put(LOCAL_OWNER, { allowMemory: true })
    const { id } = await first.createSession()
    const { completion } = await first.streamRequest(id, 'Hello')
    await completion
    expect((await first.memories.list(LOCAL_OWNER)).items).toEqual([])
    await first.close()
    const next = await open()
    onTestFinished(() => next.close())
    await expect.poll(async () => (await next.memories.list(LOCAL_OWNER)).items.length).toBe(1)
  },
)

verifies('GOV-18', 'what is remembered is told also while the embedding model does not answer', async () => {
  const server = await embeddingServer(Array.from({ length: 100 }, () => () => {}))
  const it = await rememberingSegno({
    repeat: true,
    turns: [{ text: 'Hello.' }],
    limits: { RETRIEVAL_MS: 1000 },
    env: { SEGNO_EMBEDDINGS: `ollama:m@${DIMENSIONS}`, OLLAMA_BASE_URL: server.url },
  })
  await it.segno.memories.add(LOCAL_OWNER, { content: 'Likes zanzibar tea' })
  await it.ask('What do I drink?')
  expect(JSON.stringify(it.requests.at(-1)?.prompt)).toContain('Likes zanzibar tea')
})
