import { createServer, constants, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import type { Started } from '../../src/workflow/engine.ts'
import { verifies } from '../support/verifies.ts'
import { engineFor } from './support/engine-for.ts'

const GRPC = { ':status': 200, 'content-type': 'application/grpc' }
const EMPTY_MESSAGE = Buffer.alloc(5)

/** What a hand-over comes to whose request is read to its end and then answered so. */
async function answered(answer: (stream: ServerHttp2Stream) => void): Promise<Started> {
  const server = createServer()
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    stream.resume().on('end', () => {
      if (headers[':path']?.endsWith('/StartWorkflowExecution')) return answer(stream)
      stream.respond(GRPC, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.end(EMPTY_MESSAGE)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const engine = engineFor({ engine: 'temporal', address: `127.0.0.1:${port}` })
  return engine.start({
    ...engine.readTarget({ connection: 'main', workflowType: 'Print', taskQueue: 'printing' }),
    invocationId: crypto.randomUUID(),
    key: 'key-1',
    input: {},
    depth: 1,
    callback: undefined,
    signal: new AbortController().signal,
    timeoutMs: 30_000,
  })
}

const UNCLEAR = { kind: 'failure', isFinal: false, mayHaveHappened: true }

verifies('GOV-13', 'Temporal: a stream that is ended after the request was read is no refusal', async () => {
  for (const code of [
    constants.NGHTTP2_ENHANCE_YOUR_CALM,
    constants.NGHTTP2_CANCEL,
    constants.NGHTTP2_INTERNAL_ERROR,
    constants.NGHTTP2_NO_ERROR,
  ])
    expect(await answered((stream) => stream.close(code)), String(code)).toMatchObject(UNCLEAR)
})

verifies('GOV-13', 'Temporal: a success without a message is no refusal', async () => {
  const end = (stream: ServerHttp2Stream): void => stream.respond({ ...GRPC, 'grpc-status': '0' }, { endStream: true })
  expect(await answered(end)).toMatchObject(UNCLEAR)
})

verifies('GOV-13', 'Temporal: an answer that unpacks to more than is read is no refusal', async () => {
  const packed = gzipSync(Buffer.alloc(3_000_000))
  const head = Buffer.from([1, 0, 0, 0, 0])
  head.writeUInt32BE(packed.length, 1)
  const end = (stream: ServerHttp2Stream): void => {
    stream.respond({ ...GRPC, 'grpc-encoding': 'gzip' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    stream.end(Buffer.concat([head, packed]))
  }
  expect(await answered(end)).toMatchObject({ code: 'BAD_ANSWER', isFinal: true, mayHaveHappened: true })
})
