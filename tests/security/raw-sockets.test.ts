import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/channel/http/index.ts'
import { sendRaw } from '../chaos/fuzz-socket.ts'
import { openStage } from './support/stage.ts'

async function listening(): Promise<number> {
  const stage = await openStage()
  const server = await serve(stage.segno.fetch, { host: '127.0.0.1', port: 0, requestMs: 1000 })
  onTestFinished(async () => {
    await server.stop()
    await stage.close()
  })
  return Number(new URL(server.url).port)
}

const isThere = async (port: number): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/health`)).ok

test.each([
  ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n', 405],
  ['no HTTP', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400],
  ['a method nobody knows', 'BREW / HTTP/1.1\r\nhost: a\r\n\r\n', 400],
  ['no Host', 'GET /api/sessions HTTP/1.1\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['a head without end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, 431],
])('%s is refused with a status, and the connection is closed', async (_, text, status) => {
  const port = await listening()
  const answer = await sendRaw(port, Buffer.from(text, 'latin1'), false)
  expect([answer.status, answer.silent, answer.headers.get('connection')?.toLowerCase()]).toEqual([
    status,
    false,
    'close',
  ])
  expect(await isThere(port)).toBe(true)
})

test.each([
  ['after asking for a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n'],
  ['in the middle of a head', 'GET / HTTP/1.1\r\nho'],
  ['in the middle of a body', 'POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n{"ti'],
  ['before the answer comes', 'POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\n\r\n{}'],
])('clients that break off %s do no harm', async (_, text) => {
  const port = await listening()
  await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => socket.write(text, () => socket.resetAndDestroy()))
          socket.on('error', () => {})
          socket.on('close', () => resolve())
        }),
    ),
  )
  expect(await isThere(port)).toBe(true)
})
