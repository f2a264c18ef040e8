import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { range } from '../library/support/frames.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { expectWellFormed } from './support/conversation-rules.ts'
import { richSession } from './support/rich-session.ts'

/** Events as a reader of any session of the lineage must see them: the session's name is all that may differ. */
const nameless = (events: readonly StoredEvent[]) => events.map(({ sessionId: _, ...rest }) => rest)

for (const protocol of ['unified', 'triggered'] as const) {
  verifies(
    'LIN-6',
    `a fork from any event shares what came before, and repeats nothing of it (${protocol})`,
    async () => {
      const { u, runs } = await richSession(protocol)
      const parent = await u.events()
      const before = { runs: runs(), calls: u.requests.length }
      expect(said(parent, 'approval.decided').map(({ decision }) => decision)).toEqual(['approve', 'deny'])
      for (const seq of range(1, parent.length)) {
        const fork = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, seq)
        const events = await u.segno.sessions.events(LOCAL_OWNER, fork.id)
        expect(nameless(events.slice(0, seq))).toEqual(nameless(parent.slice(0, seq)))
        expect(events[seq]).toMatchObject({ type: 'session.forked', data: { parent: { sessionId: u.sessionId, seq } } })
        expect(events.map((event) => event.seq)).toEqual(range(1, events.length))
        expect(new Set(events.map((event) => event.sessionId))).toEqual(new Set([fork.id]))
      }
      expect({ runs: runs(), calls: u.requests.length }).toEqual(before)
      expect(await u.events()).toEqual(parent)
    },
  )

  verifies(['LIN-6', 'LIN-5'], `a fork from any event closes what was open there (${protocol})`, async () => {
    const { u } = await richSession(protocol)
    const parent = await u.events()
    for (const seq of range(1, parent.length)) {
      const fork = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, seq)
      const events = await u.segno.sessions.events(LOCAL_OWNER, fork.id)
      expect(said(events, 'round.ended')).toHaveLength(said(events, 'round.started').length)
      const uses = said(events, 'message.assistant').flatMap(({ content }) =>
        content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : [])),
      )
      expect(
        said(events, 'tool.result')
          .map(({ callId }) => callId)
          .sort(),
      ).toEqual(uses.sort())
      const messages = await u.segno.sessions.messages(LOCAL_OWNER, fork.id)
      expectWellFormed(messages)
    }
    expect((await u.segno.check()).findings).toEqual([])
  })

  verifies('LIN-6', `a fork from any event can be continued at once (${protocol})`, async () => {
    const { u, runs } = await richSession(protocol)
    const parent = await u.events()
    const before = runs()
    for (const seq of range(1, parent.length)) {
      const { id: sessionId } = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, seq)
      expect(await u.ask(`from ${seq}`, { sessionId, protocol })).toMatchObject({
        finishReason: 'complete',
        content: `Echo: from ${seq}`,
      })
      expectWellFormed(await u.segno.sessions.messages(LOCAL_OWNER, sessionId))
    }
    expect(runs()).toBe(before)
    expect(await u.events()).toEqual(parent)
    expect((await u.segno.check()).findings).toEqual([])
  })
}

verifies('LIN-6', 'a fork of a fork of a fork goes on, and each keeps its own ending', async () => {
  const { u } = await richSession('unified')
  const line = [u.sessionId]
  for (const name of ['a', 'b', 'c', 'd']) {
    const from = line.at(-1) as string
    const { seq } = await u.segno.sessions.get(LOCAL_OWNER, from)
    const fork = await u.segno.sessions.fork(LOCAL_OWNER, from, seq, name)
    expect(fork).toMatchObject({ title: name, parent: { sessionId: from, seq } })
    await u.ask(`in ${name}`, { sessionId: fork.id })
    line.push(fork.id)
  }
  for (const [i, id] of line.entries()) {
    const texts = JSON.stringify(await u.segno.sessions.messages(LOCAL_OWNER, id))
    for (const [j, name] of ['a', 'b', 'c', 'd'].entries()) expect(texts.includes(`in ${name}`)).toBe(j < i)
  }
})

verifies('LIN-6', 'a fork of a fork can begin before the point where the first one left', async () => {
  const { u } = await richSession('unified')
  const parent = await u.events()
  const first = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, parent.length)
  for (const seq of range(1, parent.length)) {
    const second = await u.segno.sessions.fork(LOCAL_OWNER, first.id, seq)
    const events = await u.segno.sessions.events(LOCAL_OWNER, second.id)
    expect(nameless(events.slice(0, seq))).toEqual(nameless(parent.slice(0, seq)))
    expect(said(events, 'round.ended')).toHaveLength(said(events, 'round.started').length)
  }
})

verifies(['LIN-6', 'REL-1'], 'a fork is still there after a restart', async () => {
  const { u } = await richSession('unified')
  const fork = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, 30)
  const events = await u.segno.sessions.events(LOCAL_OWNER, fork.id)
  await u.reopen()
  expect(await u.segno.sessions.events(LOCAL_OWNER, fork.id)).toEqual(events)
  expect(await u.ask('hello', { sessionId: fork.id })).toMatchObject({ finishReason: 'complete' })
})

test('a fork keeps the model and protocol of its session and has a title of its own', async () => {
  const { u } = await richSession('unified')
  const { id } = await u.segno.createSession({ title: 'Plans', protocol: 'triggered', model: 'scripted' })
  expect(await u.segno.sessions.fork(LOCAL_OWNER, id, 1)).toMatchObject({
    title: 'Plans (fork)',
    protocol: 'triggered',
    model: 'scripted',
  })
})

test('a fork of an archived session is not archived', async () => {
  const { u } = await richSession('unified')
  await u.segno.sessions.archive(LOCAL_OWNER, u.sessionId)
  const { seq } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
  const fork = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, seq)
  expect(fork.archived).toBe(false)
  for (const content of ['once', 'twice']) {
    expect(await u.ask(content, { sessionId: fork.id })).toMatchObject({ content: `Echo: ${content}` })
  }
})

test('a fork from an event that is not there is refused', async () => {
  const { u } = await richSession('unified')
  const { seq } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
  for (const bad of [0, -1, seq + 1, 1.5, Number.NaN, Infinity, '3' as unknown as number]) {
    const problem = await problemOf(u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, bad))
    expect(problem).toMatchObject({ code: 'VALIDATION_ERROR', field: 'seq' })
  }
  expect((await problemOf(u.segno.sessions.fork(LOCAL_OWNER, 'nowhere', 1))).code).toBe('NOT_FOUND')
})
