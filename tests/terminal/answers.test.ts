import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { evil, evilName, script } from './support/script.ts'
import { homeWith, openTerminal, type TestTerminal } from './support/terminal.ts'

test('an answer is seen while it comes, and what is typed meanwhile is sent afterwards', async () => {
  const terminal = openTerminal(homeWith(script))
  await terminal.waitFor('a script answers here, not an AI')
  await terminal.waitFor('Type "tour"')
  terminal.type('slow please')
  terminal.press('enter')
  await terminal.waitFor('three')
  expect(terminal.screen()).not.toContain('end.')
  expect(terminal.screen()).toContain('Ctrl-C stops')
  terminal.type('and then this')
  terminal.press('enter')
  await terminal.waitFor('next: and then this')
  await terminal.waitFor(/sixteen end\.[^]*Done · .*[^]*› and then this[^]*Echo: and then this/)
  expect(terminal.screen().match(/› slow please/g)).toHaveLength(1)
})

verifies('PHA-10', 'segno chat draws markdown, and hides what tools put out until it is asked for', async () => {
  const terminal = openTerminal({ ...homeWith(script), cols: 200, rows: 70 })
  await terminal.waitFor('›')
  terminal.type('show me\r')
  await terminal.waitFor('Done')
  const shown = terminal.screen()
  expect(shown).toContain('\nA heading\n')
  expect(shown).toContain('A paragraph of some length that')
  expect(shown).toMatch(/link\s\(https:\/\/example\.org\/somewhere\)/)
  expect(shown).toContain('• a first point that is long enough to be broken in a narrow window as well\n')
  expect(shown).toMatch(/^ {2}npm ci$/m)
  expect(shown).toMatch(/^name {3}│ value$/m)
  expect(terminal.raw()).toContain('\x1b[1msome\x1b[22m')
  expectEveryLineFits(terminal)

  terminal.type('sum\r')
  await terminal.waitFor(/Let me see\.\n\n✓ calculator 6\*7 · \d+ ms\n\nIt is what the call says\./)
  terminal.type('/outputs\r')
  await terminal.waitFor('Tool outputs are shown')
  terminal.type('sum once more\r')
  await terminal.waitFor(/✓ calculator 6\*7 · .*\n {2}42\n/)
  terminal.type('/outputs\r')
  await terminal.waitFor('hidden again')
})

test('nothing a model says is obeyed by the terminal, and a provider that fails is told in its own words', async () => {
  const terminal = openTerminal(homeWith(script))
  await terminal.waitFor('›')
  terminal.type('evil\r')
  await terminal.waitFor(/stop[^]*Done/)
  expect(terminal.screen()).toContain('start \\u{1b}]0;pwned\\u{7} \\u{1b}[2J\\u{1b}[31m')
  expect(terminal.screen()).toContain('\\u{202e}back\\u{202c}')
  for (const obeyed of ['\x1b]', '\x1b[2J', '\x1b[31m', '\x9b', '\u202e']) {
    expect(evil).toContain(obeyed)
    expect(terminal.raw()).not.toContain(obeyed)
  }
  terminal.type('unheard\r')
  await terminal.waitFor('calling x\\u{1b}]0;pwned\\u{7}\\u{1b}[31mred')
  await terminal.waitFor(/✗ x\\u\{1b\}[^]*Oh\.[^]*Done/)
  for (const obeyed of ['\x1b]', '\x1b[31mred']) {
    expect(evilName).toContain(obeyed)
    expect(terminal.raw()).not.toContain(obeyed)
  }
  terminal.type('refused\r')
  await terminal.waitFor('segno doctor --ask')
  expect(terminal.screen()).toContain('the key was refused')
  terminal.type('still there?\r')
  await terminal.waitFor('Echo: still there?')
})

test('40 columns and no colours are enough: every line fits, no word is broken that would fit, no tint is sent', async () => {
  const { home, env } = homeWith(script)
  const terminal = openTerminal({ home, cols: 40, rows: 80, env: { ...env, NO_COLOR: '1' } })
  await terminal.waitFor('›')
  terminal.type('show me\r')
  await terminal.waitFor('Done')
  terminal.type('sum\r')
  await terminal.waitFor('It is what the call says.')
  expectEveryLineFits(terminal)
  const words = terminal.everything().split(/\s+/)
  for (const word of ['paragraph', '(https://example.org/somewhere)', 'GOOGLE_GENERATIVE_AI_API_KEY,'])
    expect(words).toContain(word)
  expect(terminal.screen()).toContain('# A heading')
  expect(terminal.everything()).toMatch(/\*\*some\s+length\*\*/)
  // oxlint-disable-next-line no-control-regex
  expect(terminal.raw()).not.toMatch(/\x1b\[[\d;]*m/)
})

/** No line of ours had to be broken by the terminal. */
function expectEveryLineFits({ emulator }: TestTerminal): void {
  const { active } = emulator.buffer
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row))
  expect(rows.filter((row) => row?.isWrapped)).toEqual([])
}

/** A question has to be there for a while before a line is an answer to it; nothing is drawn when it is. */
const READING_MS = 650

test('a dumb terminal is spoken to in lines, without a single escape', async () => {
  const { home, env } = homeWith(script)
  const terminal = openTerminal({ home, env: { ...env, TERM: 'dumb' } })
  await terminal.waitFor('Segno')
  terminal.type('save it\r')
  await terminal.waitFor('[y] yes')
  terminal.type('\r')
  terminal.type('y\r')
  await terminal.waitFor('That came before the question could be read.')
  await sleep(READING_MS)
  terminal.type('y\r')
  await terminal.waitFor(/✓ write_file[^]*Saved\.[^]*Done/)
  terminal.press('ctrl-d')
  expect(await terminal.ended).toBe(0)
  expect(terminal.raw()).not.toContain('\x1b')
})
