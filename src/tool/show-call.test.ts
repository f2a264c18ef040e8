import { expect, test } from 'vitest'
import type { Shown } from '../contract/shown.ts'
import type { Tool } from '../contract/tool.ts'
import { readable } from './readable.ts'
import { createRegistry } from './registry.ts'
import { showCall } from './show-call.ts'
import { fieldsOf } from './show-fields.ts'

const CONTEXT = { folder: '/', signal: new AbortController().signal, redact: (text: string) => text }

async function shownBy(show: Tool['show']): Promise<Shown | undefined> {
  const input = { type: 'object' } as const
  const tool: Tool = { name: 'a', description: '', input, run: () => '', ...(show && { show }) }
  const registered = (await createRegistry([tool])).get('a')
  return registered && showCall(registered, {}, CONTEXT)
}

test('shows nested arguments as rows, each under its whole name', () => {
  const args = { to: ['a@x', { name: 'B', tags: [] }], pay: { amount: 5, now: true, note: null }, text: 'two\nlines' }
  expect(fieldsOf(args)).toEqual({
    kind: 'fields',
    rows: [
      { name: 'to[0]', value: 'a@x' },
      { name: 'to[1].name', value: 'B' },
      { name: 'to[1].tags', value: '[]' },
      { name: 'pay.amount', value: '5' },
      { name: 'pay.now', value: 'true' },
      { name: 'pay.note', value: 'null' },
      { name: 'text', value: 'two\nlines' },
    ],
  })
})

test('writes what lies deep as JSON and says when there are more fields than are shown', () => {
  expect(fieldsOf({ a: { b: { c: { d: { e: { f: { g: 1 } } } } } } })).toEqual({
    kind: 'fields',
    rows: [{ name: 'a.b.c.d.e.f', value: '{"g":1}' }],
  })
  const { rows, note } = fieldsOf({ list: Array.from({ length: 300 }, (_, at) => at) })
  expect([rows.length, note]).toEqual([200, 'Only the first 200 fields are shown.'])
})

test('writes characters that cannot be seen as numbers, and keeps lines and indents', () => {
  expect(readable({ kind: 'file', path: 'a\u202eb', text: '\tif\n  x\u200by', diff: '-x\n+\u2066y' })).toEqual({
    kind: 'file',
    path: 'a\\u{202e}b',
    text: '\tif\n  x\\u{200b}y',
    diff: '-x\n+\\u{2066}y',
  })
  expect(readable({ kind: 'fields', rows: [{ name: 'a\u202e', value: 'b\u202e\nc' }] })).toEqual({
    kind: 'fields',
    rows: [{ name: 'a\\u{202e}', value: 'b\\u{202e}\nc' }],
  })
})

test('moves the places of dangers with the characters before them, and makes one of two that overlap', () => {
  const dangers = [
    { from: 4, to: 8, why: 'second' },
    { from: 2, to: 6, why: 'first' },
    { from: 9, to: 10, why: 'third' },
  ]
  const shown = readable({ kind: 'command', text: 'a\u202e2345678XY', dangers })
  expect(shown).toEqual({
    kind: 'command',
    text: 'a\\u{202e}2345678XY',
    dangers: [
      { from: 9, to: 15, why: 'first; second' },
      { from: 16, to: 17, why: 'third' },
    ],
  })
})

test('says how much of a long text is not shown, and what is dangerous there', () => {
  const text = 'x'.repeat(40_000)
  expect(readable({ kind: 'file', path: 'a', text })).toMatchObject({
    text: 'x'.repeat(30_000),
    note: 'Only the first 30000 of 40000 characters of the text are shown.',
  })
  expect(
    readable({ kind: 'command', text, dangers: [{ from: 35_000, to: 35_002, why: 'deletes a lot' }] }),
  ).toMatchObject({
    dangers: [],
    note: 'Only the first 30000 of 40000 characters of the command are shown. Also dangerous, and not marked: deletes a lot.',
  })
  const rows = [
    { name: 'a', value: text },
    { name: 'b', value: '1' },
  ]
  const fields = readable({ kind: 'fields', rows })
  expect(fields.note).toBe('Only the first 30000 of 40003 characters of the fields are shown.')
})

test('says that fields are left out also where those before them fill the room exactly', () => {
  const shown = readable(fieldsOf({ safe: 'x'.repeat(29_996), evil: 'rm' }))
  expect(shown.note).toBe('Only the first 30000 of 30006 characters of the fields are shown.')
})

test('does without the words of a tool that fails, answers nonsense or takes too long', async () => {
  expect(await shownBy(undefined)).toBeUndefined()
  expect(await shownBy(() => Promise.reject(new Error('no')))).toBeUndefined()
  expect(await shownBy(() => ({ kind: 'file' }) as Shown)).toBeUndefined()
  expect(await shownBy(() => ({ kind: 'odd' }) as unknown as Shown)).toBeUndefined()
  expect(await shownBy(() => new Promise(() => {}))).toBeUndefined()
  expect(await shownBy(() => ({ kind: 'command', text: 'ls', dangers: [] }))).toEqual({
    kind: 'command',
    text: 'ls',
    dangers: [],
  })
})
