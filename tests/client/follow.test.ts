import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient, type Client, type FollowOptions, type Frame } from '../../src/client/index.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { textOf } from '../../src/contract/message.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { serverChild } from '../server/support/server-child.ts'
import { served } from '../server/support/served.ts'
import { freePort } from '../support/free-port.ts'
import { verifies } from '../support/verifies.ts'

const ANSWER = 'é€😀 and so on, '.repeat(12)
const model = { scenarios: [{ when: '', turns: [{ text: ANSWER, deltaChars: 6, delayMs: 15 }] }] }

/** Follows a session and keeps what it is given. */
function follower(client: Client, sessionId: string, options: FollowOptions = {}) {
  const leaving = new AbortController()
  const seqs: number[] = []
  const statuses: string[] = []
  const holes: string[] = []
  let text = ''
  let said = ''
  const watchers = new Set<() => void>()
  onTestFinished(() => leaving.abort())

  function take(frame: Frame): void {
    if (frame.kind === 'reset') text = ''
    else if (frame.kind === 'event') {
      seqs.push(frame.event.seq)
      const { type, data } = frame.event
      if (type === 'turn.started' || type === 'round.resumed') text = ''
      if (type === 'message.assistant') said += textOf(data.content)
    } else if (frame.delta.kind === 'text') {
      if (frame.delta.offset > text.length) holes.push(`${text.length}..${frame.delta.offset}`)
      text = text.slice(0, frame.delta.offset) + frame.delta.text
    }
  }
  const over = (async () => {
    const onStatus = (status: string): void => void statuses.push(status)
    for await (const frames of client.follow(sessionId, { signal: leaving.signal, onStatus, ...options })) {
      frames.forEach(take)
      for (const look of watchers) look()
    }
  })()
  over.catch(() => {})
  return {
    seqs,
    statuses,
    holes,
    over,
    leave: () => leaving.abort(),
    text: () => text,
    said: () => said,
    until: (holds: () => boolean) =>
      new Promise<void>((resolve, reject) => {
        const look = (): void => void (holds() && resolve())
        watchers.add(look)
        over.catch(reject)
        look()
      }),
  }
}

/** What stands between a client and its server. */
async function lineTo(url: string) {
  const { port } = new URL(url)
  const open = new Set<Socket>()
  /** each connection is cut after so many bytes of the answer; what has none is left alone */
  const cuts: number[] = []
  let isFrozen = false
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1')
    let left = cuts.shift() ?? Infinity
    open.add(near)
    near.pipe(far).on('error', () => near.destroy())
    near.on('error', () => {}).on('close', () => far.destroy())
    far.on('data', (piece: Buffer) => {
      if (isFrozen) return
      near.write(piece.subarray(0, left))
      left -= piece.length
      if (left <= 0) near.destroy()
    })
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts,
    /** Nothing comes through any more, and nobody is told. */
    freeze: (frozen: boolean) => void (isFrozen = frozen),
  }
}

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1)

verifies('GOV-17', 'a client whose connection is cut again and again, at any byte, has every event once', async () => {
  const { url } = await served({ model })
  const direct = createClient({ baseUrl: url })
  const line = await lineTo(url)
  line.cuts.push(100, 900, 1701, 2503)
  const { id } = await direct.createSession({ title: 'cut' })
  const seen = follower(createClient({ baseUrl: line.url }), id)
  await direct.send(id, { content: 'one' })
  await seen.until(() => seen.said() === ANSWER)
  await direct.send(id, { content: 'two' })
  await seen.until(() => seen.said() === ANSWER + ANSWER)
  const { seq } = await direct.session(id)
  await seen.until(() => seen.seqs.at(-1) === seq)
  expect(seen.seqs).toEqual(numbersTo(seq))
  expect(seen.holes).toEqual([])
  expect(seen.statuses.filter((status) => status === 'reconnecting').length).toBeGreaterThan(0)
  seen.leave()
  await seen.over
})

verifies(['REL-1', 'GOV-17'], 'a client outlives a server that is killed in the middle of an answer', async () => {
  const given = { home: tempHome(), port: await freePort(), script: model }
  const first = await serverChild(given)
  const client = createClient({ baseUrl: first.url })
  const { id } = await client.createSession({ title: 'killed' })
  const seen = follower(client, id)
  await client.send(id, { content: 'hi' }, 'once')
  await seen.until(() => seen.text().length > 20)
  await first.kill()
  await serverChild(given)
  await seen.until(() => seen.said() === ANSWER)
  const stored = await Array.fromAsync(client.events(id))
  await seen.until(() => seen.seqs.length >= stored.length)
  expect(seen.seqs).toEqual(stored.map(({ seq }) => seq))
  expect([seen.seqs, seen.holes]).toEqual([numbersTo(stored.length), []])
  expect(seen.statuses.slice(0, 4)).toEqual(['connecting', 'live', 'reconnecting', 'live'])
})

test('a connection on which nothing comes any more, not even a ping, is left for another', async () => {
  const { url } = await served({ model })
  const direct = createClient({ baseUrl: url })
  const line = await lineTo(url)
  const { id } = await direct.createSession({ title: 'silent' })
  const seen = follower(createClient({ baseUrl: line.url }), id, { silenceMs: 1500 })
  await seen.until(() => seen.seqs.length > 0)
  line.freeze(true)
  await direct.send(id, { content: 'hi' })
  await expect.poll(() => seen.statuses.includes('reconnecting')).toBe(true)
  line.freeze(false)
  await seen.until(() => seen.said() === ANSWER)
  expect(seen.seqs).toEqual(numbersTo(seen.seqs.length))
})

test('a server that has no place for another stream is asked again when it said', async () => {
  const { url } = await served({ model, limits: { MAX_STREAMS: 1 } })
  const client = createClient({ baseUrl: url })
  const { id } = await client.createSession({ title: 'full' })
  const inside = follower(client, id)
  await inside.until(() => inside.seqs.length > 0)
  const outside = follower(client, id)
  await expect.poll(() => outside.statuses).toEqual(['connecting', 'reconnecting'])
  const refusedAt = Date.now()
  inside.leave()
  await outside.until(() => outside.seqs.length > 0)
  expect(Date.now() - refusedAt).toBeGreaterThan(4000)
})

test('a conversation that is deleted, or was never there, is gone', async () => {
  const { url } = await served({ model })
  const client = createClient({ baseUrl: url })
  const { id } = await client.createSession({ title: 'short' })
  const seen = follower(client, id)
  await seen.until(() => seen.seqs.length > 0)
  await client.deleteSession(id)
  await expect(seen.over).rejects.toMatchObject({ name: 'ApiProblem', status: 404, code: 'NOT_FOUND' })
  expect(seen.statuses.at(-1)).toBe('gone')
})

test('who has no key is told so at once, and with one everything works', async () => {
  const { url, segno } = await served({ model, env: { SEGNO_REQUIRE_KEY: 'on' } })
  const { secret = '' } = await segno.keys.add(LOCAL_OWNER, { name: 'laptop', userId: 'ada', role: 'user' })
  const client = createClient({ baseUrl: `${url}/`, key: () => secret })
  const { id } = await client.createSession({ title: 'mine' })
  const stranger = follower(createClient({ baseUrl: url }), id)
  await expect(stranger.over).rejects.toMatchObject({ status: 401, code: 'KEY_REQUIRED' })
  expect(stranger.statuses).toEqual(['connecting', 'failed'])
  const wrong = follower(createClient({ baseUrl: url, key: `${secret}x` }), id)
  await expect(wrong.over).rejects.toMatchObject({ status: 401, code: 'KEY_INVALID' })
  const mine = follower(client, id)
  await mine.until(() => mine.seqs.length > 0)
})

test('a mistake in a field names the field', async () => {
  const { url } = await served({ model })
  const client = createClient({ baseUrl: url })
  const refused = client.createSession({ title: 7 as unknown as string })
  await expect(refused).rejects.toMatchObject({ status: 400, code: 'VALIDATION_ERROR', errors: [{ field: 'title' }] })
})

test('a message that is sent twice under one key is stored once', async () => {
  const { url } = await served({ model })
  const client = createClient({ baseUrl: url })
  const { id } = await client.createSession({ title: 'once' }, 'a')
  expect((await client.createSession({ title: 'once' }, 'a')).id).toBe(id)
  const both = await Promise.all([client.send(id, { content: 'hi' }, 'b'), client.send(id, { content: 'hi' }, 'b')])
  expect(both[0].requestId).toBe(both[1].requestId)
})
