import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { MessageContent } from '../../../src/contract/message.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { channelMessage, recordingChannel } from '../library/support/recording-channel.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { bytesOf, readFile } from './support/read-file.ts'
import { picture, textFile } from './support/sample-files.ts'

const text = (words: string) => ({ type: 'text' as const, text: words })

test('a message with files is shown with them and without their bytes, and each can be fetched', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'I see.' }] })
  const [photo, note] = [picture(), textFile()]
  const path = `/api/sessions/${it.sessionId}/messages`
  const content = [text('Look:'), photo.json, note.json]
  expect((await ask(it, 'POST', `${path}?wait=1`, { content })).body).toMatchObject({ content: 'I see.' })
  const shown = [text('Look:'), photo.part, note.part]
  expect(said(await it.events(), 'message.user')).toEqual([{ content: shown }])
  const { body } = await ask(it, 'GET', path)
  expect((body['items'] as { content: unknown }[])[0]?.content).toEqual(shown)
  const everything = JSON.stringify([await ask(it, 'GET', `/api/sessions/${it.sessionId}/events?outputs=1`), body])
  expect(everything).not.toContain(note.json.data)
  expect(everything).not.toContain('CONFIDENTIAL')
  for (const one of [photo, note]) expect(await bytesOf(await readFile(it, one.hash))).toEqual(one.bytes)
})

test('a file is fetched with its media type, to be saved under its name, and never guessed at', async () => {
  const it = await segnoUnderTest()
  const [photo, page] = [picture(), { ...textFile('<script>alert(1)</script>').file, mediaType: 'text/html' }]
  await it.ask([photo.file, page])
  const answer = await readFile(it, photo.hash)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(photo.bytes.length),
    'content-disposition': `attachment; filename*=UTF-8''a%20photo%20%22of%22%20%C5%BDofie.png`,
    'x-content-type-options': 'nosniff',
  })
  const html = await readFile(it, textFile('<script>alert(1)</script>').hash)
  expect([html.headers.get('content-type'), html.headers.get('content-disposition')]).toEqual([
    'text/html',
    'attachment',
  ])
})

for (const [way, send] of [
  ['POST /request', (path: string) => `${path}/request`],
  ['POST /api/chats/:id/stream', (path: string) => `${path.replace('sessions', 'chats')}/stream`],
] as const) {
  test(`files can be sent by ${way} too`, async () => {
    const it = await segnoUnderTest({ turns: [{ text: 'I see.' }] })
    const { status } = await ask(it, 'POST', send(`/api/sessions/${it.sessionId}`), { content: [picture().json] })
    expect(status).toBe(200)
    expect(said(await it.events(), 'message.user')).toEqual([{ content: [picture().part] }])
  })
}

test('files can be the first message of a chat', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'I see.' }] })
  const content = [text('Look:'), picture().json]
  expect((await ask(it, 'POST', '/api/chat/messages', { content })).status).toBe(200)
  const [newest] = (await it.segno.sessions.list(LOCAL_OWNER)).items
  const [message] = await it.segno.sessions.messages(LOCAL_OWNER, newest?.id ?? '')
  expect(message?.content).toEqual([text('Look:'), picture().part])
})

test('a channel can deliver files', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'I see.' }] })
  const content = [text('Look:'), picture().file]
  const { sessionId } = await it.segno.handleMessage({ ...channelMessage(''), content }, recordingChannel())
  const [message] = await it.segno.sessions.messages(LOCAL_OWNER, sessionId)
  expect(message?.content).toEqual([text('Look:'), picture().part])
})

test('a message of nothing but files has no text', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'I see.' }] })
  expect(await it.ask([picture().file])).toMatchObject({ finishReason: 'complete' })
  expect(said(await it.events(), 'message.user')).toEqual([{ content: [picture().part] }])
})

test('a text alone is stored as it always was', async () => {
  const it = await segnoUnderTest()
  await it.ask('hello')
  await it.ask([text('hello')])
  expect(said(await it.events(), 'message.user')).toEqual([{ content: [text('hello')] }, { content: [text('hello')] }])
})

test('of files that were sent the audit log holds nothing but that a message came', async () => {
  const it = await segnoUnderTest()
  await it.ask([text('four'), textFile().file, picture().file])
  const lines = await Array.fromAsync(it.segno.audit.export(LOCAL_OWNER))
  expect(lines.join('')).toMatch(/message_received.*chars[^0-9]*4\b/)
  for (const secret of ['CONFIDENTIAL', 'photo', textFile().hash, textFile().json.data])
    expect(lines.join('')).not.toContain(secret)
})

const BAD: readonly [what: string, content: unknown, field: string][] = [
  ['an empty list', [], 'content'],
  ['a number', 7, 'content'],
  ['a part that is none', [text('a'), 'b'], 'content[1]'],
  ['broken base64', [text('a'), { ...picture().json, data: '???' }], 'content[1].data'],
  ['bytes as JSON', [picture().file], 'content[0].data'],
  ['a kind nobody takes', [{ ...picture().json, mediaType: 'image/tiff' }], 'content[0].mediaType'],
  ['too many', Array.from({ length: 11 }, () => textFile().json), 'content'],
]

for (const [what, content, field] of BAD) {
  verifies('GOV-31', `${what} is refused over HTTP with the field that is wrong, and nothing is stored`, async () => {
    const it = await segnoUnderTest()
    const before = await it.events()
    for (const path of [`/api/sessions/${it.sessionId}/messages`, '/api/chat/messages']) {
      const { status, body } = await ask(it, 'POST', path, { content })
      expect(body).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', errors: [{ field }] })
      expect(status).toBe(400)
    }
    expect(await it.events()).toEqual(before)
    expect((await it.segno.sessions.list(LOCAL_OWNER)).items).toHaveLength(1)
  })
}

test('the limits of files are settings, and the message names them', async () => {
  const it = await segnoUnderTest({ limits: { FILE_BYTES: 10, MESSAGE_FILES: 1 } })
  const files = (...words: string[]): MessageContent => words.map((one) => textFile(one).file)
  expect(await it.ask(files('0123456789'))).toMatchObject({ finishReason: 'complete' })
  expect(await problemOf(it.send(files('0123456789x')))).toMatchObject({
    field: 'content[0].data',
    message: expect.stringContaining('at most 10 are taken (limit FILE_BYTES)') as string,
  })
  expect(await problemOf(it.send(files('a', 'b')))).toMatchObject({
    field: 'content',
    message: expect.stringContaining('at most 1 are taken (limit MESSAGE_FILES)') as string,
  })
})

verifies('REL-3', 'the same key with the same files is the same message, with another file it is refused', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'I see.' }] })
  const post = (content: unknown) =>
    ask(it, 'POST', `/api/sessions/${it.sessionId}/messages?wait=1`, { content }, { 'idempotency-key': 'once' })
  const first = await post([text('Look:'), textFile('one').json])
  expect(first.status).toBe(200)
  expect(await post([text('Look:'), textFile('one').json])).toEqual(first)
  for (const other of [
    [text('Look:'), textFile('two').json],
    [text('Look:'), { ...textFile('one').json, name: 'another' }],
    [text('Look:')],
    'Look:',
  ])
    expect(await post(other)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } })
  expect(said(await it.events(), 'message.user')).toHaveLength(1)
  expect((await readFile(it, textFile('two').hash)).status).toBe(404)
})

test('the simple chat does not take a message with a file for one that says the same', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'I see.' }] })
  await it.ask([text('hello'), textFile().file])
  await ask(it, 'GET', `/api/chats/${it.sessionId}/stream?message=hello`)
  await ask(it, 'GET', `/api/chats/${it.sessionId}/stream?message=hello`)
  expect(said(await it.events(), 'message.user')).toHaveLength(2)
})
