import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { script } from './support/script.ts'
import { homeWith, openTerminal } from './support/terminal.ts'

verifies(
  'ORC-8',
  'segno chat asks with the exact arguments: details, no, yes, for this session; Enter is no answer',
  async () => {
    const given = homeWith(script)
    const file = join(given.home, 'workspace', 'notes.txt')
    const terminal = openTerminal(given)
    await terminal.waitFor('›')
    terminal.type('save\r')
    await terminal.waitFor(
      'Allow?  write_file notes.txt\n[y] yes  [n] no  [s] yes, for this conversation  [d] details, raw arguments',
    )
    expect(terminal.screen()).toContain(
      '? write_file wants to write: notes.txt\n  │ first\n  because    write_file needs approval\n',
    )
    expect(terminal.screen()).toContain('[s]        covers every write_file of this target, whatever content')
    terminal.press('enter')
    terminal.type('q')
    terminal.press('enter')
    terminal.type('d')
    await terminal.waitFor(
      /│ first\n[^]*"content": "first"[^]*effect {5}it does something[^]*approval {3}\S+[^]*Allow\?/,
    )
    expect(existsSync(file)).toBe(false)
    terminal.type('n')
    await terminal.waitFor(/\? write_file notes\.txt · not allowed\n\n✗ write_file .* · denied[^]*Done/)
    expect(existsSync(file)).toBe(false)

    terminal.type('save after all\r')
    await terminal.waitFor(/save after all[^]*Allow\?/)
    terminal.type('y')
    await terminal.waitFor(/\? write_file notes\.txt · allowed\n\n✓ write_file[^]*Saved\.[^]*Done/)
    expect(readFileSync(file, 'utf8')).toBe('first')

    terminal.type('replace\r')
    await terminal.waitFor(/› replace[^]*Allow\?/)
    terminal.type('s')
    await terminal.waitFor(/· allowed for this conversation\n\n✓ write_file[^]*Replaced\.[^]*Done/)
    terminal.type('save a third time\r')
    await terminal.waitFor(/a third time\n\n✓ write_file[^]*Saved\.[^]*Done/)
    expect(readFileSync(file, 'utf8')).toBe('first')

    terminal.type('both\r')
    await terminal.waitFor('Allow?  write_file a.txt')
    terminal.type('y')
    await terminal.waitFor('2 of 2 · write_file wants to write: b.txt')
    terminal.type('y')
    await terminal.waitFor(/› y$/)
    await terminal.waitFor('Allow?  write_file b.txt')
    terminal.type('n')
    await terminal.waitFor(/b\.txt · not allowed[^]*Both\.[^]*Done/)
    expect(existsSync(join(given.home, 'workspace', 'b.txt'))).toBe(false)
  },
)

test('who is typing when a question comes does not answer it by accident', async () => {
  const slowly = { ...script, scenarios: script.scenarios.map((one) => (one.when === '^save' ? slow(one) : one)) }
  const given = homeWith(slowly)
  const terminal = openTerminal(given)
  await terminal.waitFor('›')
  terminal.type('save\r')
  await terminal.waitFor('Soon')
  let typed = ''
  const type = (): void => {
    typed += 'y'
    terminal.type('y')
  }
  const typing = setInterval(type, 50)
  await terminal.waitFor('wants to write')
  clearInterval(typing)
  for (let more = 0; more < 3; more++) {
    type()
    await terminal.waitFor(`› ${typed}`)
  }
  await terminal.waitFor('Allow?')
  expect(terminal.screen()).not.toContain('allowed')
  terminal.type('n')
  await terminal.waitFor(new RegExp(`denied[^]*› ${typed}$`))

  // After a pause, in the moment in which the question comes.
  terminal.type('\x15save again\r')
  await terminal.waitFor(/› save again[^]*wants to (write|change)/)
  for (const written of ['y', 'yo', 'you']) {
    terminal.type(written.slice(-1))
    await terminal.waitFor(new RegExp(`› ${written}$`))
  }
  await terminal.waitFor('Allow?')
  terminal.type('n')
  await terminal.waitFor(/› save again[^]*denied[^]*› you$/)
  expect(terminal.screen()).not.toContain('· allowed')
  expect(existsSync(join(given.home, 'workspace', 'notes.txt'))).toBe(false)
})

const slow = (scenario: { turns: readonly object[] }) => ({
  ...scenario,
  turns: scenario.turns.map((turn, at) =>
    at === 0 ? { ...turn, text: 'Soon it comes now', delayMs: 150, deltaChars: 3 } : turn,
  ),
})

test('a question waits: who leaves or is killed is asked again, however long the answer was, and it can be stopped', async () => {
  const { home, env } = homeWith(script)
  const given = { home, env: { ...env, SEGNO_LIMITS_MAX_TOOL_CALLS: '200' } }
  const terminal = openTerminal(given)
  await terminal.waitFor('›')
  terminal.type('many\r')
  await terminal.waitFor('Allow?')
  terminal.press('ctrl-d')
  await terminal.waitFor('The question waits, and is asked again when you come back.')
  terminal.press('ctrl-d')
  expect(await terminal.ended).toBe(0)
  const killed = openTerminal(given)
  await killed.waitFor(/✓ calculator 109\+1[^]*wants to write: notes\.txt[^]*Allow\?/)
  expect(killed.everything()).toMatch(/› many\n\n✓ calculator 0\+1/)
  await killed.kill()
  const again = openTerminal(given)
  await again.waitFor(/wants to write: notes\.txt[^]*Allow\?/)
  again.press('ctrl-c')
  await again.waitFor('[y] yes, stop')
  again.type('y')
  await again.waitFor('Cancelled')
  expect(existsSync(join(given.home, 'workspace', 'notes.txt'))).toBe(false)
})

test('what a running call asks is filled in field by field, and again if the answer is not taken', async () => {
  const server = fileURLToPath(new URL('support/curious.ts', import.meta.url))
  const evil = 'n\x1b]0;pwned\x07\x1b[2J'
  const properties = {
    mail: { type: 'string', format: 'email' },
    fish: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'f1', title: 'Tuna' },
          { const: 'f2', title: 'Cod' },
        ],
      },
    },
    [evil]: { type: 'string' },
  }
  const schema = JSON.stringify({ type: 'object', properties, required: ['mail'] })
  const tools = { ask: { effect: 'pure', approval: 'auto', reach: [] } }
  const given = homeWith({
    scenarios: [{ when: '^tell', turns: [{ calls: [{ name: 'curious__ask', args: {} }] }, { text: 'Told.' }] }],
  })
  const mcp = JSON.stringify({ curious: { command: process.execPath, args: [server, schema], tools } })
  const terminal = openTerminal({ ...given, rows: 60, env: { ...given.env, SEGNO_MCP: mcp } })
  await terminal.waitFor('›')
  terminal.type('/outputs\r')
  terminal.type('tell\r')
  await terminal.waitFor(/asks: How \\u\{1b\}\[31mold\?[^]*Answer\?/)
  for (const mail of ['a@b', 'a@b.example']) {
    await terminal.waitFor('Answer?  curious__ask')
    terminal.type('y')
    await terminal.waitFor('mail ›')
    terminal.type('7\r')
    await terminal.waitFor('mail must be a mail address.')
    terminal.type(`${mail}\r`)
    await terminal.waitFor('fish ›')
    terminal.type('cod, 1\r')
    await terminal.waitFor('n\\u{1b}]0;pwned\\u{7}\\u{1b}[2J ›')
    terminal.type('me\r')
    if (mail === 'a@b') await terminal.waitFor('Nothing is decided yet:')
  }
  await terminal.waitFor(/· answered[^]*✓ curious__ask[^]*Told\.[^]*Done/)
  expect(terminal.screen()).toContain('"mail":"a@b.example","fish":["f1","f2"],')
  for (const obeyed of ['\x1b]', '\x1b[2J', '\x1b[31mold']) expect(terminal.raw()).not.toContain(obeyed)
})
