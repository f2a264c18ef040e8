import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evil, script } from './support/script.ts'
import { homeWith, openTerminal, type TestTerminal } from './support/terminal.ts'

const KEYS = /\[y\] yes {2}\[n\] no[^]*arguments$/
const inWorkspace = (home: string, name: string): string => join(home, 'workspace', name)

test('a long text is shown as far as it has room, whole at a key, and the question stays at the bottom', async () => {
  const terminal = openTerminal({ ...homeWith(script), cols: 70, rows: 24 })
  await terminal.waitFor('›')
  terminal.type('long\r')
  await terminal.waitFor(KEYS)
  expect(terminal.screen()).toMatch(
    /wants to write: notes\.txt\n {2}│ line 0 of the text\n[^]*\n {2}… \d+ more lines \(v shows all\)\n {2}because/,
  )
  for (const [cols, rows] of [
    [40, 16],
    [120, 30],
    [70, 12],
  ] as const) {
    terminal.resize(cols, rows)
    await terminal.waitFor(new RegExp(`wants to write: notes\\.txt\\n[^]*more lines[^]*${KEYS.source}`))
    expectAtBottom(terminal)
  }
  terminal.resize(70, 24)
  terminal.type('v')
  await terminal.waitFor(/line 59 of the text\n[^]*wants to write: notes\.txt\n {2}… all of it stands above/)
  expect(terminal.everything()).toContain('│ line 30 of the text\n')
  terminal.type('d')
  await terminal.waitFor(/approval {3}\S+\n\n\? write_file wants to write: notes\.txt\n[^]*arguments$/)
  terminal.type('n')
  await terminal.waitFor(/\? write_file notes\.txt · not allowed\n\n✗[^]*Long\.[^]*Done/)
  expect(terminal.screen()).not.toContain('[y]')
})

/** Nothing stands below the question, and the cursor waits behind its keys. */
function expectAtBottom(terminal: TestTerminal): void {
  const rows = terminal.screen().split('\n')
  expect(terminal.cursor().row).toBe(rows.length - 1)
}

test('a change is a diff, coloured where there are colours', async () => {
  const { home, env } = homeWith(script)
  mkdirSync(join(home, 'workspace'))
  writeFileSync(inWorkspace(home, 'notes.txt'), 'old\n')
  const terminal = openTerminal({ home, env })
  await terminal.waitFor('›')
  terminal.type('save\r')
  await terminal.waitFor(/wants to change: notes\.txt\n {2}│ @@ [^]*\n {2}│ -old\n {2}│ \+first\n[^]*Allow\?/)
  expect(terminal.raw()).toContain('\x1b[31m-old\x1b[39m')
  expect(terminal.raw()).toContain('\x1b[32m+first\x1b[39m')
  terminal.type('y')
  await terminal.waitFor(/Saved\.[^]*Done/)
})

test('at 40 columns without colours danger has a word, and nothing in a text is obeyed or out of its place', async () => {
  const { home, env } = homeWith(script)
  const terminal = openTerminal({ home, cols: 40, rows: 30, env: { ...env, NO_COLOR: '1' } })
  await terminal.waitFor('›')
  terminal.type('danger\r')
  await terminal.waitFor(/! DANGER · bash wants to run:\n {2}│ ls && rm -rf \.\n {2}danger {5}rm[^]*\nDanger\. Allow\?/)
  terminal.type('n')
  await terminal.waitFor(/\? bash ls[^]*· not allowed[^]*Removed\.[^]*Done/)
  terminal.type('hidden\r')
  await terminal.waitFor(/wants to write[^]*│ first\n {2}│ start \\u\{1b\}[^]*│ last\n[^]*careful[^]*Allow\?/)
  for (const obeyed of ['\x1b]', '\x1b[2J', '\x9b', '\u202e']) {
    expect(evil).toContain(obeyed)
    expect(terminal.raw()).not.toContain(obeyed)
  }
  // oxlint-disable-next-line no-control-regex
  expect(terminal.raw()).not.toMatch(/\x1b\[[\d;]*m/)
  const { active } = terminal.emulator.buffer
  for (let row = 0; row < active.length; row++) expect(active.getLine(row)?.isWrapped).toBe(false)
})

test('several are counted, and all are allowed with one confirmation that lists them, but none that is dangerous', async () => {
  const { home, env } = homeWith(script)
  const terminal = openTerminal({ home, env })
  await terminal.waitFor('›')
  terminal.type('three\r')
  await terminal.waitFor(/1 of 3 · write_file wants to write: a\.txt[^]*\[a\] all 3/)
  terminal.type('n')
  await terminal.waitFor(/a\.txt · not allowed[^]*2 of 3 · write_file wants to write: b\.txt[^]*\[a\] all 2/)
  terminal.type('a')
  await terminal.waitFor(
    /2 of 2 · write_file wants to write: c\.txt\n {2}│ c\.txt\n[^]*Allow all 2 that are shown above/,
  )
  await terminal.waitFor(/above\?\n {2}1\. write_file b\.txt\n {2}2\. write_file c\.txt\n\[y\] yes, all 2/)
  expect(existsSync(inWorkspace(home, 'b.txt'))).toBe(false)
  terminal.type('n')
  await terminal.waitFor(/2 of 3 · write_file[^]*\[a\] all 2/)
  terminal.type('a')
  await terminal.waitFor('[y] yes, all 2')
  terminal.type('y')
  await terminal.waitFor(/b\.txt · allowed\n\? write_file c\.txt · allowed[^]*Three\.[^]*Done/)
  expect(['a.txt', 'b.txt', 'c.txt'].map((name) => existsSync(inWorkspace(home, name)))).toEqual([false, true, true])

  terminal.type('mixed\r')
  await terminal.waitFor(/› mixed[^]*1 of 3 ·[^]*\[a\] all 2/)
  terminal.type('a')
  await terminal.waitFor(/1\. write_file a\.txt\n {2}2\. write_file b\.txt\n\[y\] yes, all 2/)
  terminal.type('y')
  await terminal.waitFor(/3 of 3 · DANGER · bash wants to run:[^]*Danger\. Allow\?/)
  expect(terminal.screen()).not.toContain('[a] all')
  terminal.type('n')
  await terminal.waitFor(/Mixed\.[^]*Done/)
})

test('Ctrl-C at a question asks, Esc stops nothing, and both say what becomes of what waits', async () => {
  const given = homeWith(script)
  const terminal = openTerminal(given)
  await terminal.waitFor('›')
  terminal.type('both\r')
  await terminal.waitFor(/1 of 2 ·[^]*\[y\] yes/)
  terminal.press('escape')
  terminal.press('escape')
  terminal.press('ctrl-c')
  await terminal.waitFor(
    /Stop this answer\? Nothing is stopped[^]*\n {2}write_file a\.txt\n {2}write_file b\.txt\n[^]*\[y\] yes, stop/,
  )
  terminal.press('escape')
  await terminal.waitFor(/1 of 2 · write_file wants to write: a\.txt[^]*Allow\?/)
  terminal.press('ctrl-c')
  await terminal.waitFor('[y] yes, stop')
  terminal.type('n')
  await terminal.waitFor(/1 of 2 · write_file wants to write: a\.txt[^]*Allow\?/)
  terminal.press('ctrl-c')
  await terminal.waitFor('[y] yes, stop')
  terminal.press('ctrl-c')
  expect(await terminal.ended).toBe(0)
  await terminal.waitFor(/Nothing was stopped or decided\.[^]*segno chat\s+asks again:\s+write_file a\.txt and 1 more/)

  const back = openTerminal(given)
  await back.waitFor(/1 of 2 · write_file wants to write: a\.txt[^]*Allow\?/)
  back.type('y')
  await back.waitFor(/2 of 2 · write_file wants to write: b\.txt[^]*Allow\?/)
  back.press('ctrl-c')
  await back.waitFor('[y] yes, stop')
  back.type('y')
  await back.waitFor(/Stopping\. This will not run: write_file b\.txt[^]*b\.txt · not asked any more[^]*Cancelled/)
  expect(readFileSync(inWorkspace(given.home, 'a.txt'), 'utf8')).toBe('a.txt')
  expect(existsSync(inWorkspace(given.home, 'b.txt'))).toBe(false)
  back.type('still there?\r')
  await back.waitFor(/Echo: still there\?[^]*Done/)
})

test('a dumb terminal shows the same in lines, and Ctrl-C asks there too', async () => {
  const { home, env } = homeWith(script)
  const terminal = openTerminal({ home, rows: 60, env: { ...env, TERM: 'dumb' } })
  await terminal.waitFor('Segno')
  terminal.type('danger\r')
  await terminal.waitFor(/! DANGER · bash wants to run:\n {2}│ ls && rm -rf \.\n {2}danger[^]*\[y\] yes/)
  terminal.press('ctrl-c')
  await terminal.waitFor(/Stop this answer\?[^]*\[y\] yes, stop/)
  terminal.press('ctrl-c')
  expect(await terminal.ended).toBe(0)
  await terminal.waitFor(/Nothing was stopped or decided\.[^]*asks again:\s+bash ls/)
  expect(terminal.raw()).not.toContain('\x1b')
})

test('/plan only plans until it is said again', async () => {
  const { home, env } = homeWith(script)
  const terminal = openTerminal({ home, env })
  await terminal.waitFor('›')
  terminal.type('/plan\r')
  await terminal.waitFor(/it only plans[^]*\nplan ›$/)
  terminal.type('save\r')
  await terminal.waitFor(/plan › save\n\n✗ write_file .* refused[^]*Saved\.[^]*Done[^]*plan ›$/)
  expect(existsSync(inWorkspace(home, 'notes.txt'))).toBe(false)
  terminal.type('/plan\r')
  await terminal.waitFor(/it acts again\.\n\n›$/)
  terminal.type('save\r')
  await terminal.waitFor(/\n› save\n[^]*Allow\?/)
  terminal.type('y')
  await terminal.waitFor(/✓ write_file[^]*Done/)
})

test('who mistypes a command is offered none that loses the conversation', async () => {
  const terminal = openTerminal(homeWith(script))
  await terminal.waitFor('›')
  for (const typo of ['claer', 'nwe', 'qiut']) {
    terminal.type(`/${typo}\r`)
    await terminal.waitFor(`There is no /${typo}. Nothing was sent. /help lists what you can type.`)
  }
  terminal.type('/plann\r')
  await terminal.waitFor('Did you mean /plan?')
})
