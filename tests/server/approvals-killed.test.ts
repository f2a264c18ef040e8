import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { openStoreOf } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { ask, logOf, newSession, type Item } from './support/ask.ts'
import { serverChild } from './support/server-child.ts'

const WILD = fileURLToPath(new URL('../mcp/servers/wild.ts', import.meta.url))

interface Asked extends Item {
  readonly status: string
  readonly isQuestion: boolean
  readonly expiresAt: string
}

/** A real server with an MCP server: one tool writes a line to a file outside, the other asks while it runs. */
function stage(limits: Record<string, string> = {}) {
  const home = tempHome()
  const effects = join(home, 'effects.txt')
  const servers = { wild: { command: process.execPath, args: [WILD, '', effects] } }
  const paying = ['Ann', 'Bob', 'Cy', 'Dan'].map((label) => ({
    when: `^Pay ${label}`,
    turns: [{ calls: [{ name: 'wild__effect', args: { label } }] }, { text: 'Done.' }],
  }))
  const painting = { when: '^Paint', turns: [{ calls: [{ name: 'wild__ask' }] }, { text: 'Done.' }] }
  return {
    home,
    start: () =>
      serverChild({
        home,
        env: { SEGNO_MCP: JSON.stringify(servers), ...limits },
        script: { scenarios: [...paying, painting] },
      }),
    /** the lines of the file: what was really done */
    done: (): string[] => (existsSync(effects) ? readFileSync(effects, 'utf8').trim().split('\n') : []),
  }
}

/** Sends a message in a session of its own, and waits until it asks. */
async function untilAsked(url: string, content: string): Promise<Asked> {
  const sessionId = await newSession(url)
  await ask(url, 'POST', `/api/sessions/${sessionId}/messages`, { content })
  return eventually(() => openIn(url, sessionId))
}

/** The same, until the call that was approved asks while it runs. */
async function untilQuestion(url: string, content: string): Promise<Asked> {
  const { id, sessionId } = await untilAsked(url, content)
  await decide(url, id, { decision: 'approve' })
  return eventually(async () => {
    const open = await openIn(url, sessionId)
    return open?.isQuestion ? open : undefined
  })
}

async function openIn(url: string, sessionId: string): Promise<Asked | undefined> {
  const { items = [] } = (await ask(url, 'GET', '/api/approvals?status=pending')).body
  return items.find((one): one is Asked => one.sessionId === sessionId)
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(10)
  }
}

const decide = async (url: string, id: string, body: object): Promise<number> =>
  (await ask(url, 'POST', `/api/approvals/${id}`, body)).status

/** What came of the calls of a session, once its round is over. */
async function resultsOf(url: string, { sessionId }: Asked): Promise<Item[]> {
  const log = await eventually(async () => {
    const all = await logOf(url, sessionId, '&outputs=1')
    return all.some(({ type }) => type === 'round.ended') ? all : undefined
  })
  return log.filter(({ type }) => type === 'tool.result')
}

const outcomesOf = async (url: string, asked: Asked): Promise<unknown[]> =>
  (await resultsOf(url, asked)).map(({ data }) => data['code'] ?? data['outcome'])

/** What another process does that takes a person's word: it is stored as an input, and nothing else. */
async function decideWhileDown(home: string, decisions: readonly (readonly [Asked, 'approve' | 'deny'])[]) {
  const store = await openStoreOf(home, 'full')
  for (const [{ id: approvalId, sessionId }, decision] of decisions) {
    const body = { kind: 'decision', approvalId, decision, by: 'owner' } as const
    await store.putInput({ id: crypto.randomUUID(), sessionId, key: `decision:${approvalId}`, at: Date.now(), body })
  }
  await store.close()
}

verifies(
  ['ORC-8', 'REL-1', 'REL-2', 'COO-8'],
  'a server killed while it waits carries out each decision once: made before, while it was down, or afterwards',
  async () => {
    const { home, start, done } = stage()
    const first = await start()
    const [ann, bob, cy, dan] = [
      await untilAsked(first.url, 'Pay Ann'),
      await untilAsked(first.url, 'Pay Bob'),
      await untilAsked(first.url, 'Pay Cy'),
      await untilAsked(first.url, 'Pay Dan'),
    ]
    const answered = await untilQuestion(first.url, 'Paint the door')
    const misfit = { decision: 'approve', content: { colour: 7 } }
    const red = { decision: 'approve', content: { colour: 'red' } }
    expect(await decide(first.url, answered.id, misfit)).toBe(400)
    expect(await decide(first.url, answered.id, red)).toBe(202)
    const [painted] = await resultsOf(first.url, answered)
    expect(painted?.data).toMatchObject({ outcome: 'ok', content: expect.stringContaining('"red"') as string })
    const open = await untilQuestion(first.url, 'Paint the wall')
    expect(done()).toEqual([])

    await first.kill()
    await decideWhileDown(home, [
      [cy, 'approve'],
      [dan, 'deny'],
    ])
    const { url } = await start()
    const both = await Promise.all([ann, ann].map(({ id }) => decide(url, id, { decision: 'approve' })))
    expect(both.toSorted((a, b) => a - b)).toEqual([202, 409])
    expect(await decide(url, bob.id, { decision: 'deny' })).toBe(202)
    expect(await decide(url, open.id, red)).toBe(409)

    const outcomes = await Promise.all([ann, bob, cy, dan, open].map((one) => outcomesOf(url, one)))
    expect(outcomes).toEqual([['ok'], ['denied'], ['ok'], ['denied'], ['unknown']])
    expect(done().toSorted()).toEqual(['Ann', 'Cy'])
    for (const { id } of [ann, bob, cy, dan, open, answered])
      expect(await decide(url, id, { decision: 'approve' })).toBe(409)
    const all = ((await ask(url, 'GET', '/api/approvals')).body.items ?? []) as readonly Asked[]
    expect(all.find(({ id }) => id === open.id)?.status).toBe('stale')
    expect(all.filter(({ status }) => status === 'pending')).toEqual([])
  },
  60_000,
)

verifies(
  ['ORC-8', 'REL-1'],
  'what nobody decided while the server was down is denied as expired when it is there again',
  async () => {
    const { start, done } = stage({ SEGNO_LIMITS_APPROVAL_MS: '4000' })
    const first = await start()
    const asked = await untilAsked(first.url, 'Pay Ann')
    await first.kill()
    await sleep(Math.max(0, Date.parse(asked.expiresAt) - Date.now()))
    const { url } = await start()
    expect(await decide(url, asked.id, { decision: 'approve' })).toBe(409)
    expect(await outcomesOf(url, asked)).toEqual(['EXPIRED'])
    expect(done()).toEqual([])
  },
  60_000,
)
