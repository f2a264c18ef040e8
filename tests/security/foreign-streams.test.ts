import { afterAll, describe, expect, test } from 'vitest'
import type { Actor } from '../../src/contract/actor.ts'
import { verifies } from '../support/verifies.ts'
import { ask, readProblem } from './support/ask.ts'
import { belongings, PRIVATE_WORD } from './support/belongings.ts'
import { startMcpServers } from './support/mcp-servers.ts'
import { ADA, openStage } from './support/stage.ts'

const stage = await openStage({}, {}, await startMcpServers())
afterAll(() => stage.close())
const { segno } = stage
const its = await belongings(stage)
const keys = {
  'another tenant': (await stage.key('rival', 'ada', ['*'])).text,
  'another user': (await stage.key('acme', 'eve', ['*'])).text,
}
const EVE: Actor = { ...ADA, id: 'eve' }
const SSE = { accept: 'text/event-stream' }

describe.each(Object.entries(keys))('to %s, even one who may do everything,', (_, key) => {
  verifies('GOV-32', 'no stream of a session is opened', async () => {
    for (const more of ['', '?after=0', '?dialect=chat', '?dialect=turns&outputs=1', `?round=${its.endedRound}`]) {
      const answer = await ask(segno, 'GET', `/api/sessions/${its.sessionId}/events${more}`, { key, headers: SSE })
      expect([answer.status, readProblem(answer).code]).toEqual([404, 'NOT_FOUND'])
    }
    for (const headers of [SSE, { ...SSE, 'last-event-id': '1' }, { 'last-event-id': '3.2' }]) {
      for (const path of [`/api/sessions/${its.sessionId}/messages`, `/api/chats/${its.sessionId}/stream`]) {
        const answer = await ask(segno, 'POST', path, { key, headers, body: { content: 'hello' } })
        expect([answer.status, readProblem(answer).code]).toEqual([404, 'NOT_FOUND'])
      }
    }
  })

  test('a message of another session is not there in an own one', async () => {
    const { id } = JSON.parse((await ask(segno, 'POST', '/api/sessions', { key, body: {} })).text) as { id: string }
    const removed = await ask(segno, 'DELETE', `/api/sessions/${id}/messages/${its.eventId}`, { key })
    expect(removed.status).toBe(404)
    const events = await ask(segno, 'GET', `/api/sessions/${id}/events?round=${its.endedRound}`, { key })
    expect([events.status, readProblem(events).code]).toEqual([404, 'NOT_FOUND'])
  })
})

test('a conversation cannot be started in a workspace of another tenant by any route', async () => {
  const key = keys['another tenant']
  for (const [path, body] of [
    ['/api/sessions', { workspaceId: its.workspaceId }],
    ['/api/chat/messages', { content: 'hello', projectId: its.workspaceId }],
    ['/api/chat/messages_two_stage', { content: 'hello', projectId: its.workspaceId }],
  ] as const) {
    const answer = await ask(segno, 'POST', path, { key, body })
    expect([answer.status, readProblem(answer).code]).toEqual([404, 'NOT_FOUND'])
  }
})

test('an Idempotency-Key gives nobody what somebody else made with it', async () => {
  const mine = (await stage.key('acme', 'ada', ['*'])).text
  const posts = [
    ['/api/sessions', { title: 'Zanzibar' }],
    ['/api/workspaces', { name: 'Zanzibar' }],
    ['/api/keys', { name: 'Zanzibar' }],
  ] as const
  for (const [path, body] of posts) {
    const headers = { 'idempotency-key': 'the same' }
    const ids = await Promise.all(
      [mine, ...Object.values(keys)].map(
        async (key) => (JSON.parse((await ask(segno, 'POST', path, { key, body, headers })).text) as { id: string }).id,
      ),
    )
    expect(new Set(ids).size).toBe(3)
  }
  const { id } = await segno.createSession({}, { actor: EVE })
  const said = { messageId: 'http:the same' }
  const first = await segno.rounds.send(ADA, its.sessionId, 'hello', said)
  const second = await segno.rounds.send(EVE, id, 'hello', said)
  expect(second.requestId).not.toBe(first.requestId)
})

test('what a super admin of another tenant reads of keys tells nothing of conversations', async () => {
  const answer = await ask(segno, 'GET', '/api/keys', { key: keys['another tenant'] })
  expect(answer.status).toBe(200)
  expect(answer.text).not.toContain(its.sessionId)
  expect((await ask(segno, 'GET', '/api/approvals', { key: keys['another tenant'] })).text).not.toMatch(PRIVATE_WORD)
})
