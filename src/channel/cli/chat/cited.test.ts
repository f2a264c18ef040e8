import { expect, test } from 'vitest'
import { createClient, type WireEvent } from '../../../client/index.ts'
import { citedIn, citedLines } from './cited.ts'

const citation = { label: 'k1', documentId: 'd', version: 1, chunk: 0 }
const answer = (data: object) => ({ type: 'message.assistant', id: 'e', data }) as WireEvent
const answering = (fetch: () => Promise<Response>) => createClient({ baseUrl: 'http://localhost', fetch })

test.each([
  ['a server that is gone', async () => Promise.reject(new Error('gone'))],
  ['an answer that is none', async () => new Response('<html>')],
  ['a problem', async () => Response.json({ code: 'NOT_FOUND', detail: 'x' }, { status: 404 })],
])('%s leaves the labels', async (_, fetch) => {
  const cited = await citedIn(answering(fetch), 's', answer({ citations: [citation] }))
  expect(citedLines(cited, 40)).toEqual(['  [k1]  cannot be looked up now'])
})

test('nothing is asked where nothing is cited', async () => {
  const api = answering(async () => expect.unreachable())
  expect(await citedIn(api, 's', answer({}))).toEqual([])
})

test('each has one line, which is never too wide or obeyed, and says what is gone', () => {
  const evil = 'x\x1b]0;pwned\x07\n\u202eback'
  const cited = [
    { ...citation, title: 'Leave', place: 'Parental' },
    { ...citation, label: 'k2', title: evil, place: '日本語'.repeat(40) },
    { ...citation, label: 'k3', erased: true as const },
  ]
  expect(citedLines(cited, 60)).toEqual([
    '  [k1]  Leave · Parental',
    expect.stringMatching(/^ {2}\[k2\] {2}x\\u\{1b\}\]0;pwned\\u\{7\} \\u\{202e\}back · 日本.*…$/),
    '  [k3]  deleted',
  ])
})
