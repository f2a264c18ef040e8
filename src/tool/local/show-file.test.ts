import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/message.ts'
import { showFile } from './show-file.ts'
import { workspace, type Workspace } from './workspace.suite.ts'

const show = ({ folder }: Workspace, args: JsonObject, redact = (text: string) => text) =>
  showFile(args, { folder, signal: new AbortController().signal, redact })

const lines = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`).join('')

test('shows the text of a new file', async () => {
  const shown = await show(await workspace(), { path: './a//b.txt', content: 'one\ntwo\n' })
  expect(shown).toEqual({ kind: 'file', path: 'a/b.txt', text: 'one\ntwo\n' })
})

test('shows what changes in a file that is there', async () => {
  const home = await workspace({ 'a.txt': lines(10) })
  const { diff } = await show(home, { path: 'a.txt', content: lines(10).replace('line 5\n', 'five\nand a half\n') })
  expect(diff).toBe(
    '@@ -2,7 +2,8 @@\n line 2\n line 3\n line 4\n-line 5\n+five\n+and a half\n line 6\n line 7\n line 8',
  )
})

test('shows what is appended behind what is there, and a missing end of line', async () => {
  const home = await workspace({ log: 'a' })
  const { diff } = await show(home, { path: 'log', content: 'b', mode: 'append' })
  expect(diff).toBe('@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+ab\n\\ No newline at end of file')
})

test('says when nothing changes, and when the call is going to fail', async () => {
  const home = await workspace({ 'a.txt': 'same' })
  expect(await show(home, { path: 'a.txt', content: 'same' })).toMatchObject({ diff: '', note: /nothing will change/ })
  const made = await show(home, { path: 'a.txt', content: 'x', mode: 'create' })
  expect(made).toMatchObject({ note: 'There is a file of this name already: this will fail.' })
  expect(made.diff).toBeUndefined()
})

test('shows line ends that change, and no others', async () => {
  const home = await workspace({ dos: 'a\r\nb\r\n' })
  expect((await show(home, { path: 'dos', content: 'a\nb\r\n' })).diff).toContain('-a\\u{d}\n+a\n')
  expect((await show(home, { path: 'dos', content: 'a\r\nc\r\n' })).diff).toBe('@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r')
})

test.each([
  ['picture.png', new Uint8Array([0x89, 0x50, 0, 1]), 'it is not text'],
  ['broken.txt', new Uint8Array([0x61, 0xff]), 'it is not text'],
  ['huge.txt', 'x'.repeat(1_000_001), 'more than 1000000 bytes'],
  ['.env', 'KEY=old', 'may hold secrets'],
])('does not show what is in %s', async (path, bytes, why) => {
  const { text, diff, note } = await show(await workspace({ [path]: bytes }), { path, content: 'new' })
  expect({ text, diff }).toEqual({ text: 'new', diff: undefined })
  expect(note).toContain(why)
})

test('compares nothing with a file that holds secrets of the installation', async () => {
  const home = await workspace({ 'a.txt': 'key=hunter22\n' })
  const redact = (text: string): string => text.replaceAll('hunter22', '[GONE]')
  for (const content of ['none\n', 'key=[GONE]\n']) {
    const { diff, note } = await show(home, { path: 'a.txt', content }, redact)
    expect([diff, note]).toEqual([undefined, 'What is there now is not shown: it holds secrets.'])
  }
})

test('reads nothing outside the folder, and says where a link inside leads', async () => {
  const home = await workspace({ 'real/a.txt': 'old\n' })
  await symlink(join(home.outside, 'secret.txt'), home.at('away'))
  await symlink(home.at('real/a.txt'), home.at('link'))
  for (const path of ['../outside/secret.txt', 'away', join(home.outside, 'secret.txt')]) {
    const { diff, note } = await show(home, { path, content: 'x' })
    expect(diff).toBeUndefined()
    expect(note).toContain('is outside the folder of this workspace')
  }
  expect(await show(home, { path: 'link', content: 'new\n' })).toMatchObject({
    diff: '@@ -1,1 +1,1 @@\n-old\n+new',
    note: 'This is a link; the file it leads to changes: real/a.txt.',
  })
  expect((await show(home, { path: 'real', content: 'x' })).note).toContain('is a folder')
})

test('says that it is a link also where nothing is compared', async () => {
  const home = await workspace({ 'real/a.txt': lines(600, 'old'), 'real/picture': new Uint8Array([0, 1]) })
  await symlink(home.at('real'), home.at('link'))
  const cases: JsonObject[] = [
    { path: 'link/a.txt', content: lines(600, 'new') },
    { path: 'link/a.txt', content: lines(600, 'old') },
    { path: 'link/a.txt', content: 'x', mode: 'create' },
    { path: 'link/picture', content: 'x' },
    { path: 'link/new.txt', content: 'x' },
  ]
  for (const args of cases) expect((await show(home, args)).note).toContain('file it leads to changes: real/')
})

test('does not compare files of very many lines', async () => {
  const home = await workspace({ 'a.txt': '\n'.repeat(50_001) })
  const { diff, note } = await show(home, { path: 'a.txt', content: 'x' })
  expect([diff, note]).toEqual([undefined, 'There are too many lines to compare: here is the new text only.'])
})

test('gives up comparing when everything differs, without holding others up', async () => {
  const home = await workspace({ 'a.txt': lines(20_000, 'old') })
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const { diff, note } = await show(home, { path: 'a.txt', content: lines(20_000, 'new') })
  clearInterval(timer)
  expect(diff).toBeUndefined()
  expect(note).toContain('More than 500 lines differ')
  expect(turns).toBeGreaterThan(50)
})
