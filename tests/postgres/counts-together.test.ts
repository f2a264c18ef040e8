import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { probe } from '../support/probe-tool.ts'
import { openedDatabase } from '../support/postgres/opened.ts'
import { startNode, type TestNode } from '../support/postgres/start-nodes.ts'
import { verifies } from '../support/verifies.ts'

const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
const script = {
  scenarios: [
    { when: '^mail', turns: [{ calls: [{ name: 'mail' }] }, { text: 'Nobody said anything.' }] },
    {
      when: '^list',
      turns: [{ calls: [{ name: 'list_files', args: { path: '.' } }] }, { text: 'Listed.' }],
    },
  ],
}

async function twoNodes(options: object = {}): Promise<[TestNode, TestNode]> {
  const { url } = await openedDatabase()
  const start = () => startNode({ database: url, model: script, ...options })
  return [await start(), await start()]
}

/** What the tool brought back, or why it did not. */
async function listed({ segno }: TestNode): Promise<string> {
  const { id } = await segno.createSession()
  const { requestId } = await segno.rounds.send(LOCAL_OWNER, id, 'list')
  await segno.completion(id, requestId)
  for await (const frame of segno.follow(id))
    if (frame.kind === 'event' && frame.event.type === 'tool.result') return frame.event.data.content
  throw new Error('there was no result')
}

describe('of two nodes on one database', () => {
  verifies(
    ['GOV-32', 'REL-7'],
    'a key that one revokes ends the streams that the other has open under it',
    async () => {
      const [one, other] = await twoNodes({ env: { SEGNO_REQUIRE_KEY: 'on' } })
      const { id: keyId, secret = '' } = await one.segno.keys.add(LOCAL_OWNER, { name: 'laptop' })
      const session = await one.segno.createSession()
      const headers = { authorization: `Bearer ${secret}` }
      const url = `${other.url}/api/sessions/${session.id}/events`
      const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } })
      expect(stream.status).toBe(200)
      const ended = (async () => {
        for await (const _ of stream.body ?? []) continue
      })()
      await one.segno.keys.revoke(LOCAL_OWNER, keyId)
      expect((await fetch(`${other.url}/api/sessions`, { headers })).status).toBe(401)
      await ended
    },
  )

  verifies('REL-7', 'one that has not the folder of the other touches no files, and says why', async () => {
    const [one, other] = await twoNodes()
    expect(await listed(one)).toContain('.segno-cluster')
    expect(existsSync(join(one.home, 'workspace', '.segno-cluster'))).toBe(true)
    expect(await listed(other)).toContain('is not the folder that the other nodes of this cluster use')
    await one.close()
    expect(await listed(other), 'alone it has nothing to prove').toContain('.segno-cluster')
  })

  verifies('REL-7', 'a round that waits too long ends once, whoever looks', async () => {
    const [one, other] = await twoNodes({ tools: [mail], limits: { APPROVAL_MS: 1500 } })
    const { id } = await one.segno.createSession()
    const { requestId } = await one.segno.rounds.send(LOCAL_OWNER, id, 'mail')
    const done = await other.segno.completion(id, requestId)
    expect(done).toMatchObject({ finishReason: 'complete' })
    const types: string[] = []
    for await (const frame of one.segno.follow(id)) {
      if (frame.kind === 'event') types.push(frame.event.type)
      if (types.at(-1) === 'round.ended') break
    }
    expect(types.filter((type) => type === 'round.ended')).toHaveLength(1)
  })
})
