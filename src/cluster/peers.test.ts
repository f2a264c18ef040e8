import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../lib/clock.ts'
import { createPeers } from './peers.ts'

/** A node whose only other one is what answers at its address. */
async function beside(answer: RequestListener, onUnreachable = (_: string): void => {}) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const times = { joinedAt: 0, seenAt: 0, until: 0 }
  const other = { id: 'other', address, version: '1', ...times, sessions: 0, rounds: 0, slots: 0 }
  const nodes = () => [other]
  return createPeers({ secret: 'secret', clock: systemClock, self: () => 'self', nodes, onUnreachable, wholeMs: 200 })
}

test('a node that says who it is can be reached', async () => {
  const peers = await beside((_, answer) => answer.end('{"node":"other"}'))
  await peers.wake('other', [])
  expect(peers.unreachable()).toEqual([])
})

const others: [what: string, answer: RequestListener][] = [
  ['a page', (_, answer) => answer.end('<html>')],
  ['nothing', (_, answer) => answer.end('null')],
  ['another status', (_, answer) => answer.writeHead(502).end('bad gateway')],
  ['an answer that never ends', (_, answer) => answer.write('{')],
  ['an error that never ends', (_, answer) => answer.writeHead(500).write('{')],
]
for (const [what, answer] of others)
  test(`where ${what} comes from its address, the node cannot be reached`, async () => {
    const peers = await beside(answer)
    await expect(peers.wake('other', [])).rejects.toThrow('node other did not answer')
    expect(peers.unreachable()).toEqual(['other'])
  })

test('that a node cannot be reached is told once, and again after it could be', async () => {
  const told: string[] = []
  let says = '<html>'
  const peers = await beside(
    (_, answer) => answer.end(says),
    (id) => told.push(id),
  )
  for (says of ['<html>', '<html>', '{"node":"other"}', '<html>']) await peers.wake('other', []).catch(() => {})
  expect(told).toEqual(['other', 'other'])
})

test('a node that tells what it does can be reached again, a page at its address cannot', async () => {
  let type = ''
  const peers = await beside((_, answer) => answer.writeHead(type === '' ? 500 : 200, { 'content-type': type }).end())
  const unreachableAfter = async (next: string): Promise<readonly string[]> => {
    type = next
    await (await peers.request('other', '/internal/follow')).body?.cancel()
    return peers.unreachable()
  }
  expect(await unreachableAfter('')).toEqual(['other'])
  expect(await unreachableAfter('text/html')).toEqual(['other'])
  expect(await unreachableAfter('application/x-ndjson')).toEqual([])
})
