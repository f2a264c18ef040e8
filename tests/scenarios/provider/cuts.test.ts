import { gzipSync } from 'node:zlib'
import type { Play } from '../../support/faulty-provider/exchange.ts'
import type { Fault } from './support/fault.ts'
import { CANARY } from './support/trial.ts'
import { tryFaults } from './support/try-faults.ts'

const broken = 'the connection to the model failed'
const cut = 'the stream was cut'
const STORY = ['Once upon ', `a ${CANARY}`]

const headers: Play = async ({ open, wait }) => {
  open()
  await wait(20)
}
const story: Play = async ({ say, open, send, wait }) => {
  open()
  await send(say.begin() + say.text(...STORY))
  await wait(20)
}
const halfCall: Play = async ({ say, open, send, wait }) => {
  open()
  await send(say.begin() + say.call('{"path":', '"a/lo'))
  await wait(20)
}
const reset: Play = ({ socket }) => void socket.resetAndDestroy()
const hangUp: Play = ({ socket }) => void socket.destroy()
const end: Play = ({ response }) => void response.end()
const then =
  (...plays: readonly Play[]): Play =>
  async (asked) => {
    for (const play of plays) await play(asked)
  }

/** The whole answer, packed, of which `part` is sent. */
const packed =
  (part: (bytes: Buffer) => Uint8Array): Play =>
  async ({ say, open, send, wait, response }) => {
    open({ 'content-encoding': 'gzip' })
    await send(part(gzipSync(say.begin() + say.text(...STORY) + say.end())))
    await wait(20)
    response.end()
  }

const raw =
  (head: string, body: (text: string) => string): Play =>
  async ({ say, sendRaw, wait, wire, socket }) => {
    await sendRaw(`HTTP/1.1 200 OK\r\ncontent-type: ${wire.contentType}\r\n${head}\r\n\r\n`)
    await sendRaw(body(say.begin() + say.text(...STORY)))
    await wait(20)
    socket.end()
  }
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const faults: Record<string, Fault> = {
  'resets the connection before it answers': { play: reset, ends: 'error', reason: broken },
  'hangs up before it answers': { play: hangUp, ends: 'error', reason: broken },
  'resets the connection after its headers': { play: then(headers, reset), ends: 'error', reason: broken },
  'resets the connection in the middle of a text': {
    play: then(story, reset),
    ends: 'error',
    reason: broken,
    shows: true,
  },
  'hangs up in the middle of a text': { play: then(story, hangUp), ends: 'error', reason: broken, shows: true },
  'hangs up in the middle of arguments': {
    play: then(halfCall, hangUp),
    ends: 'error',
    reason: broken,
    shows: true,
    inCall: true,
    on: ({ argsInPieces }) => argsInPieces,
  },
  'sends its headers and is done': { play: then(headers, end), ends: 'error', reason: cut },
  'sends an empty answer': {
    play: ({ open, response }) => {
      open({ 'content-length': '0' })
      response.end()
    },
    ends: 'error',
    reason: cut,
  },
  'sends its first event and is done': {
    play: async ({ say, open, send, response }) => {
      open()
      await send(say.begin())
      response.end()
    },
    ends: 'error',
    reason: cut,
  },
  'ends in the middle of a text as if that were all': {
    play: then(story, end),
    ends: 'error',
    reason: cut,
    shows: true,
  },
  'ends in the middle of arguments as if that were all': {
    play: then(halfCall, end),
    ends: 'error',
    reason: cut,
    shows: true,
    inCall: true,
    on: ({ argsInPieces }) => argsInPieces,
  },
  'sends less than it said it would': {
    play: raw('content-length: 1000000', (text) => text),
    ends: 'error',
    reason: broken,
    shows: true,
  },
  'does not end its last chunk': {
    play: raw('transfer-encoding: chunked', (text) => chunk(text).slice(0, -2)),
    ends: 'error',
    reason: broken,
    shows: true,
  },
  'counts its chunks in numbers that are none': {
    play: raw('transfer-encoding: chunked', (text) => `${chunk(text)}zz\r\n${text}`),
    ends: 'error',
    reason: broken,
    shows: true,
  },
  'packs its answer and sends half of it': {
    play: packed((bytes) => bytes.subarray(0, bytes.length / 2)),
    ends: 'error',
    // Half a line is a line that makes no sense.
    reason: ({ name }) => (name === 'ollama' ? 'the provider sent something that makes no sense' : cut),
  },
  'says that its answer is packed when it is not': {
    play: packed(() => Buffer.from('data: {"hello":"world"}\n\n')),
    ends: 'error',
    reason: broken,
  },
}

tryFaults(faults)
