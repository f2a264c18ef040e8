import { expect, test } from 'vitest'
import { edit, newEditor, remember, withText, type Editor } from './editor.ts'
import { createKeyReader } from './keys.ts'
import { expectLinear } from '../../../../tests/support/linear.ts'

const keys = {
  left: '\x1b[D',
  right: '\x1b[C',
  up: '\x1b[A',
  down: '\x1b[B',
  altEnter: '\x1b\r',
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96),
}

/** What is there after some keys, with the cursor as a bar. */
function after(typed: string, editor: Editor = newEditor()): { shown: string; sent: string[]; editor: Editor } {
  const sent: string[] = []
  for (const key of createKeyReader().read(typed)) {
    const { editor: next, submit } = edit(editor, key)
    editor = next
    if (submit === undefined) continue
    sent.push(submit)
    editor = remember(editor, submit)
  }
  return { shown: `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`, sent, editor }
}

test.each([
  ['typing', 'hello', 'hello|'],
  ['left and right', `ab${keys.left}${keys.left}x${keys.right}y`, 'xay|b'],
  ['to the start and the end', `abc${keys.ctrl('a')}x${keys.ctrl('e')}y`, 'xabcy|'],
  ['home and end', `abc\x1b[Hx\x1b[4~y`, 'xabcy|'],
  ['a word to the left', `one two-three\x1bb\x1bbX`, 'one twoX|-three'],
  ['a word to the right', `one two${keys.ctrl('a')}\x1bf!`, 'one!| two'],
  ['deleting the word before', `one two  ${keys.ctrl('w')}`, 'one |'],
  ['deleting a word with an accent of its own', `a cafe\u0301${keys.ctrl('w')}`, 'a |'],
  ['deleting a sign with a mark of its own', `a ⚠\ufe0f${keys.ctrl('w')}`, 'a |'],
  ['deleting to the start', `one two\x1b[D${keys.ctrl('u')}`, '|o'],
  ['deleting to the end', `one two\x1b[D${keys.ctrl('k')}`, 'one tw|'],
  ['delete', `abc${keys.ctrl('a')}\x1b[3~`, '|bc'],
  ['backspace over an emoji of several code points', 'a👨‍👩‍👧\x7f', 'a|'],
  ['left over a letter with an accent of its own', `e\u0301x${keys.left}${keys.left}!`, '!|e\u0301x'],
  ['up within a text of several lines', `abcd\nef${keys.up}X`, 'abX|cd\nef'],
  ['down to a shorter line', `a\nbcd${keys.up}${keys.down}X`, 'a\nbX|cd'],
])('%s does what a line editor does', (_, typed, shown) => {
  expect(after(typed).shown).toBe(shown)
})

test.each([
  ['Alt+Enter', `one${keys.altEnter}two`],
  ['Ctrl-J', 'one\ntwo'],
  ['a backslash at the end', 'one\\\rtwo'],
  ['Shift+Enter where the terminal tells it', 'one\x1b[13;2utwo'],
])('%s begins a new line and sends nothing', (_, typed) => {
  expect(after(typed)).toMatchObject({ shown: 'one\ntwo|', sent: [] })
})

test('a paste keeps its lines, sends nothing, and brings no control characters in', () => {
  const { shown, sent } = after('\x1b[200~one\r\ntwo\x1b[31m\rthree\ttab\x1b[201~!')
  expect({ shown, sent }).toEqual({ shown: 'one\ntwo[31m\nthree\ttab!|', sent: [] })
})

test('up goes through what was sent, and down comes back to the draft', () => {
  const { editor, sent } = after('first\rsecond\rdraft')
  expect(sent).toEqual(['first', 'second'])
  const up = after(keys.up, editor)
  expect(up.shown).toBe('second|')
  expect(after(keys.up + keys.up, up.editor).shown).toBe('first|')
  expect(after(keys.up + keys.down + keys.down, up.editor).shown).toBe('draft|')
})

test('what is sent twice in a row is remembered once', () => {
  expect(after('same\rsame\r').editor.history).toEqual(['same'])
})

test('a text that is put there can be gone on with', () => {
  expect(after('!', withText(newEditor(), 'back')).shown).toBe('back!|')
})

test('a word is deleted in a time that grows no faster than the text', () => {
  const deleting = (letters: number) => () => {
    const editor = withText(newEditor(), `${'A'.repeat(letters)}=`)
    expect(after(keys.ctrl('w'), editor).editor.text).toHaveLength(letters)
  }
  expectLinear(deleting(8000), deleting(32_000))
})

test('a sequence in pieces is one key, and one that nobody knows is dropped whole', () => {
  const reader = createKeyReader()
  expect(reader.read('\x1b[')).toEqual([])
  expect(reader.read('A\x1b[99;99Xa')).toEqual([{ name: 'up' }, { name: 'text', text: 'a' }])
  expect(reader.read('\x1b[200~pas')).toEqual([])
  expect(reader.read('te\x1b[20')).toEqual([])
  expect(reader.read('1~')).toEqual([{ name: 'paste', text: 'paste' }])
})

test('an escape takes neither Ctrl-C nor another escape with it', () => {
  const reader = createKeyReader()
  expect(reader.read('\x1b\x1b\x03')).toEqual([{ name: 'escape' }, { name: 'escape' }, { name: 'interrupt' }])
})

test('an escape that stands alone is a key, and takes nothing of what comes after it', () => {
  const reader = createKeyReader()
  expect(reader.read('\x1b')).toEqual([])
  expect(reader.isWaiting).toBe(true)
  expect(reader.settle()).toEqual([{ name: 'escape' }])
  expect(reader.read('y')).toEqual([{ name: 'text', text: 'y' }])
})
