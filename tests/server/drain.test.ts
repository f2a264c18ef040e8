import { expect, test } from 'vitest'
import { createSegno } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { ServerProcess } from '../crash/server/server-process.ts'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { followStream, type SseClient } from '../support/sse-client.ts'
import { storeSettings } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { ask, logOf, newSession, type Item } from './support/ask.ts'
import { serverChild } from './support/server-child.ts'

const SHORT = 'This takes about a second, and then it is over.'
const script = {
  scenarios: [
    { when: '^short', turns: [{ text: SHORT, deltaChars: 1, delayMs: 20 }] },
    { when: '^long', turns: [{ text: 'on and on '.repeat(500), deltaChars: 2, delayMs: 20 }] },
  ],
}
const WAYS = ['messages', 'messages?dialect=phased', 'messages?dialect=chat', 'messages?dialect=turns'] as const

async function stage(env: Record<string, string> = {}) {
  const home = tempHome()
  const server = await serverChild({ home, script, env })
  const sessionIds = await Promise.all(WAYS.map(() => newSession(server.url)))
  /** A client for each dialect, each in a session of its own, all of them in the middle of an answer. */
  async function talking(content: string): Promise<SseClient[]> {
    const clients = WAYS.map((way, at) =>
      followStream({
        url: `${server.url}/api/sessions/${sessionIds[at]}/${way}`,
        body: { content },
        ends: () => false,
        comesBack: false,
      }),
    )
    const isText = (event: string): boolean => ['delta', 'message.delta', 'turn'].includes(event)
    await Promise.all(clients.map((client) => client.until(({ event }) => isText(event))))
    return clients
  }
  return { home, server, sessionIds, talking }
}

async function stopping({ url }: ServerProcess): Promise<void> {
  await eventually(async () => {
    const { status, body } = await ask(url, 'GET', '/ready')
    return status === 503 && body.reason === 'stopping'
  })
}

/** What the next start finds, and makes of it. */
async function afterwards(home: string, sessionIds: readonly string[]) {
  const segno = await createSegno({ home, env: await storeSettings(home), model: {} })
  const logs = await Promise.all(sessionIds.map((id) => segno.sessions.events(LOCAL_OWNER, id)))
  const { findings } = await segno.check()
  await segno.close()
  return { logs, findings }
}

verifies(
  'COO-10',
  'SIGTERM: not ready, no new messages, running answers are finished and told to the end, exit code 0',
  async () => {
    const { home, server, sessionIds, talking } = await stage()
    const clients = await talking('short')
    const quiet = followStream({
      url: `${server.url}/api/sessions/${sessionIds[0]}/events`,
      ends: () => false,
      comesBack: false,
    })
    server.signal('SIGTERM')
    await stopping(server)
    expect((await ask(server.url, 'GET', '/health')).status).toBe(200)
    const path = `/api/sessions/${sessionIds[0]}/messages`
    for (const refused of [
      await ask(server.url, 'POST', path, { content: 'one more' }),
      await ask(server.url, 'POST', `${path}?wait=1`, { content: 'one more' }),
      await ask(server.url, 'POST', path, { content: 'one more' }, { accept: 'text/event-stream' }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([503, 'SHUTTING_DOWN'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(server.out()).toContain('Segno is stopping')
    await Promise.all([...clients, quiet].map(({ over }) => over))
    for (const [at, client] of clients.entries()) {
      expect([WAYS[at], client.faults]).toEqual([WAYS[at], []])
      // The end of the round is the last it hears, and then its response is ended in order.
      expect([WAYS[at], client.frames.at(-1)?.event, client.broken]).toEqual([WAYS[at], ENDS[at], 0])
      expect(client.shown.turns.get(WAYS[at] === 'messages?dialect=chat' ? 0 : 1)).toBe(SHORT)
    }
    expect([quiet.frames.at(-1)?.event, quiet.broken]).toEqual(['round.ended', 0])
    const { logs, findings } = await afterwards(home, sessionIds)
    expect(findings).toEqual([])
    for (const log of logs) {
      expect(log.filter(({ type }) => type === 'message.user')).toHaveLength(1)
      expect(log.at(-1)).toMatchObject({ type: 'round.ended', data: { finishReason: 'complete' } })
    }
  },
)

const ENDS = ['round.ended', 'round.ended', 'done', 'completed']

verifies('COO-10', 'what does not end in time is left to the next start, which goes on with it', async () => {
  const { home, server, sessionIds, talking } = await stage({ SEGNO_LIMITS_DRAIN_MS: '200' })
  const clients = await talking('long')
  const before = clients.map(({ frames }) => frames.length)
  server.signal('SIGINT')
  expect(await server.exited).toEqual({ code: 0, signal: null })
  await Promise.all(clients.map(({ over }) => over))
  expect(before.every((count) => count > 0)).toBe(true)
  const again = await serverChild({ home, script: { otherwise: { text: 'There.' } } })
  const ended = async (id: string): Promise<Item | undefined> =>
    (await logOf(again.url, id)).find(({ type }) => type === 'round.ended')
  for (const id of sessionIds) await eventually(async () => (await ended(id))?.data['finishReason'] === 'complete')
})

/** Running answers would get half a minute; the rest is for a machine that has other things to do. */
const AT_ONCE_MS = 15_000

for (const first of ['SIGTERM', 'SIGINT'] as const) {
  verifies(
    ['COO-10', 'REL-1'],
    `a Ctrl-C after ${first} leaves at once, and nothing that was shown is lost`,
    async () => {
      const { home, server, sessionIds, talking } = await stage()
      const clients = await talking('long')
      server.signal(first)
      await stopping(server)
      const asked = performance.now()
      server.signal('SIGINT')
      expect(await server.exited).toEqual({ code: null, signal: 'SIGINT' })
      expect(performance.now() - asked).toBeLessThan(AT_ONCE_MS)
      await Promise.all(clients.map(({ over }) => over))
      const { logs, findings } = await afterwards(home, sessionIds)
      expect(findings).toEqual([])
      const [shown] = clients
      for (const { id, data } of shown?.frames ?? [])
        if (id !== undefined) expect(logs[0]?.[Number(id) - 1]).toMatchObject({ seq: data.seq, id: data['id'] })
    },
  )
}

test('who is connected and asks for nothing does not keep the server from leaving', async () => {
  const { server, sessionIds } = await stage()
  const idle = sessionIds.map((id) =>
    followStream({ url: `${server.url}/api/sessions/${id}/events`, ends: () => false, comesBack: false }),
  )
  await Promise.all(idle.map((client) => client.until(({ event }) => event === 'session.created')))
  const asked = performance.now()
  server.signal('SIGTERM')
  expect(await server.exited).toEqual({ code: 0, signal: null })
  expect(performance.now() - asked).toBeLessThan(AT_ONCE_MS)
  for (const client of idle) expect(client.frames.map(({ event }) => event)).toEqual(['session.created'])
})
