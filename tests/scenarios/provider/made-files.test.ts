import { expect } from 'vitest'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { bytesOf, readFile } from '../files/support/read-file.ts'
import { picture } from '../files/support/sample-files.ts'
import { ask } from '../http/ask.ts'

const made = { mediaType: 'image/png', data: Buffer.from(picture().bytes).toString('base64') }
const page = { url: 'https://lamps.example/', title: 'Lamps' }
const file = { type: 'file', mediaType: 'image/png', hash: picture().hash, bytes: picture().bytes.length }
const drawing = [{ text: 'Here it is.', files: [made], sources: [page] }]

verifies('REL-1', 'a file that a model made, and what it refers to, are kept with its answer', async () => {
  const it = await segnoUnderTest({ turns: drawing })
  const { events } = await it.ask()
  expect(said(events, 'message.assistant')).toMatchObject([{ files: [file], sources: [page] }])
  await it.reopen()
  expect(await bytesOf(await readFile(it, picture().hash))).toEqual(picture().bytes)
  const { body } = await ask(it, 'GET', `/api/sessions/${it.sessionId}/messages`)
  expect(body['items']).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ type: 'text', text: 'Here it is.' }, file], sources: [page] },
  ])
  expect((await it.segno.check()).findings).toEqual([])
})

verifies('REL-1', 'an answer may be a file alone, and later requests name it where a model cannot see it', async () => {
  const it = await segnoUnderTest({ turns: [{ files: [made] }] })
  const { events, finishReason } = await it.ask()
  expect(finishReason).toBe('complete')
  expect(said(events, 'message.assistant')).toMatchObject([{ content: [], files: [file], final: true }])
  await it.ask('And now?')
  const note = `[a file (image/png, ${picture().bytes.length} bytes) was made here]`
  expect(it.requests[1]?.prompt.findLast(({ role }) => role === 'assistant')?.content).toEqual([
    { type: 'text', text: note },
  ])
})

verifies('REL-1', 'a file that is no file of its kind, or too large, is left out and the user is told', async () => {
  const wrong = { mediaType: 'image/png', data: Buffer.from('no picture').toString('base64') }
  const it = await segnoUnderTest({ turns: [{ text: 'Here.', files: [wrong, made] }], limits: { FILE_BYTES: 20 } })
  const { events } = await it.ask()
  expect(said(events, 'message.assistant')[0]).not.toHaveProperty('files')
  expect(said(events, 'notice').map(({ text }) => text)).toEqual([
    expect.stringContaining('says image/png, but the data is nothing of the kind'),
    expect.stringContaining('limit FILE_BYTES'),
  ])
})
