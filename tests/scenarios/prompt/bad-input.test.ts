import { describe, expect, test } from 'vitest'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { ada, draft } from './support.ts'

const GOOD = { name: 'House rules', content: 'Be kind.' }

const BAD: readonly [what: string, body: object, field: string, says: RegExp][] = [
  ['no name', { content: 'x' }, 'name', /name/],
  ['no content', { name: 'x' }, 'content', /content/],
  ['an empty name', { ...GOOD, name: '' }, 'name', /name/],
  ['a blank name', { ...GOOD, name: '  ' }, 'name', /1 to 200 characters that are not all blank/],
  ['a name of two lines', { ...GOOD, name: 'a\nb' }, 'name', /one line/],
  ['a name that is too long', { ...GOOD, name: 'x'.repeat(201) }, 'name', /name/],
  ['blank content', { ...GOOD, content: ' \n ' }, 'content', /not all blank/],
  ['content over the limit', { ...GOOD, content: 'x'.repeat(20_001) }, 'content', /1 to 20000 .*PROMPT_CHARS/],
  ['a NUL', { ...GOOD, content: 'a\0b' }, 'content', /U\+0000 at position 2/],
  ['an escape', { ...GOOD, content: '\u001b[2J' }, 'content', /U\+001B at position 1/],
  ['a carriage return', { ...GOOD, content: 'a\r\nb' }, 'content', /U\+000D .*end lines with a line feed alone/],
  ['text turned around', { ...GOOD, content: 'a\u202eb' }, 'content', /U\+202E/],
  ['an isolate', { ...GOOD, content: 'a\u2066b' }, 'content', /U\+2066/],
  ['letters nobody sees', { ...GOOD, content: 'a\u{e0041}b' }, 'content', /U\+E0041/],
  ['a space without width', { ...GOOD, content: 'a\u200bb' }, 'content', /U\+200B/],
  ['a blank letter', { ...GOOD, name: 'a\u3164' }, 'name', /U\+3164/],
  ['another line end', { ...GOOD, content: 'a\u2028b' }, 'content', /U\+2028/],
  ['joiners that spell something', { ...GOOD, content: 'a\u200c\u200d\u200cb' }, 'content', /U\+200C/],
  ['selectors that spell something', { ...GOOD, content: 'a\ufe01\ufe02\ufe03b' }, 'content', /U\+FE01/],
  ['half a character', { ...GOOD, content: 'a\ud800b' }, 'content', /lone UTF-16 surrogate/],
  ['a number', { ...GOOD, content: 7 }, 'content', /content/],
  ['a field too many', { ...GOOD, status: 'active' }, 'status', /status/],
]

describe('a prompt that is refused', () => {
  verifies('GOV-4', 'leaves nothing, and says which field and why, over HTTP and in code', async () => {
    const it = await segnoUnderTest()
    const { id } = await it.segno.prompts.create({ ...ada, tenant: 'local' }, GOOD)
    for (const [what, body, field, says] of BAD) {
      const answer = await ask(it, 'POST', '/api/prompts', body)
      expect([what, answer.status, answer.body['code']]).toEqual([what, 400, 'VALIDATION_ERROR'])
      const [fault] = answer.body['errors'] as { field: string; message: string }[]
      expect([what, fault?.field]).toEqual([what, field])
      expect([what, answer.body['detail']]).toEqual([what, expect.stringMatching(says)])
      await expect(it.segno.prompts.create(ada, body as typeof GOOD)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        field,
      })
      if ('name' in body && 'content' in body)
        expect([what, (await ask(it, 'PATCH', `/api/prompts/${id}`, body)).status]).toEqual([what, 400])
    }
    expect((await it.segno.prompts.list(ada)).items).toEqual([])
    expect((await it.segno.prompts.get({ ...ada, tenant: 'local' }, id)).revision).toBe(1)
  })

  test('is none with marks that a script or an emoji needs', async () => {
    const { segno } = await segnoUnderTest()
    for (const content of ['می\u200cخواهم', '👩\u200d💻 ❤\ufe0f\u200d🔥', 'שלום\u200f!'])
      expect(await segno.prompts.create(ada, { ...GOOD, content })).toMatchObject({ content })
  })

  test('is one of a workspace that is not there, or of another tenant', async () => {
    const it = await segnoUnderTest()
    const { id: workspaceId } = await it.segno.workspaces.create(ada, { name: 'Elsewhere' })
    for (const other of ['nowhere', workspaceId]) {
      const { status, body } = await ask(it, 'POST', '/api/prompts', { ...GOOD, workspaceId: other })
      expect([status, body['detail']]).toEqual([404, `There is no workspace ${other}.`])
    }
  })

  test('a rejection needs a reason, which is text people can see', async () => {
    const it = await segnoUnderTest()
    const { id } = await draft(it.segno)
    await it.segno.prompts.submit(ada, id)
    for (const given of [undefined, {}, { reason: ' ' }, { reason: 'x'.repeat(1001) }, { reason: 'a\u202eb' }])
      await expect(it.segno.prompts.reject(ada, id, given)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        field: 'reason',
      })
    await expect(it.segno.prompts.reject(ada, id, { because: 'x' } as object)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    expect((await it.segno.prompts.get(ada, id)).status).toBe('pending_review')
  })

  test('tabs, line ends, emoji and scripts of all directions are words like others', async () => {
    const { segno } = await segnoUnderTest()
    const content = 'a\tb\n👩‍👩‍👧 ☺️ שלום عربي می‌خواهم 日本語'
    expect(await draft(segno, { content })).toMatchObject({ content })
  })
})
