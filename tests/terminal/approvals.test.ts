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
    await terminal.waitFor('Allow?  [y] yes  [n] no  [s] yes, for this session  [d] details')
    expect(terminal.screen()).toContain('? write_file wants to run: notes.txt')
    expect(terminal.screen()).toContain('"content": "first"')
    expect(terminal.screen()).toContain('because    write_file needs approval')
    terminal.press('enter')
    terminal.type('q')
    terminal.press('enter')
    terminal.type('d')
    await terminal.waitFor(/effect {5}it does something[^]*approval {3}\S+[^]*Allow\?/)
    expect(existsSync(file)).toBe(false)
    terminal.type('n')
    await terminal.waitFor(/decided {4}no[^]*✗ write_file .* · denied[^]*Done/)
    expect(existsSync(file)).toBe(false)

    terminal.type('save after all\r')
    await terminal.waitFor(/save after all[^]*Allow\?/)
    terminal.type('y')
    await terminal.waitFor(/decided {4}yes\n\n✓ write_file[^]*Saved\.[^]*Done/)
    expect(readFileSync(file, 'utf8')).toBe('first')

    terminal.type('replace\r')
    await terminal.waitFor(/› replace[^]*Allow\?/)
    terminal.type('s')
    await terminal.waitFor(/for this session\n\n✓ write_file[^]*Replaced\.[^]*Done/)
    terminal.type('save a third time\r')
    await terminal.waitFor(/a third time\n\n✓ write_file[^]*Saved\.[^]*Done/)
    expect(readFileSync(file, 'utf8')).toBe('first')
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
  await terminal.waitFor('wants to run')
  clearInterval(typing)
  for (let more = 0; more < 3; more++) {
    type()
    await terminal.waitFor(`› ${typed}`)
  }
  await terminal.waitFor('Allow?')
  expect(terminal.screen()).not.toContain('decided')
  terminal.type('n')
  await terminal.waitFor(new RegExp(`denied[^]*› ${typed}$`))
  expect(existsSync(join(given.home, 'workspace', 'notes.txt'))).toBe(false)
})

const slow = (scenario: { turns: readonly object[] }) => ({
  ...scenario,
  turns: scenario.turns.map((turn, at) =>
    at === 0 ? { ...turn, text: 'Soon it comes now', delayMs: 100, deltaChars: 3 } : turn,
  ),
})

test('a question waits: it is asked again after a restart, and Ctrl-C ends its round', async () => {
  const given = homeWith(script)
  const terminal = openTerminal(given)
  await terminal.waitFor('›')
  terminal.type('save\r')
  await terminal.waitFor('Allow?')
  await terminal.kill()
  const again = openTerminal(given)
  await again.waitFor(/› save[^]*wants to run: notes\.txt[^]*Allow\?/)
  again.press('ctrl-c')
  await again.waitFor('Cancelled')
  expect(existsSync(join(given.home, 'workspace', 'notes.txt'))).toBe(false)
})

test('what a running call asks is filled in field by field', async () => {
  const server = fileURLToPath(new URL('../mcp/servers/wild.ts', import.meta.url))
  const tools = { ask: { effect: 'pure', approval: 'auto', reach: [] } }
  const given = homeWith({
    scenarios: [{ when: '^paint', turns: [{ calls: [{ name: 'wild__ask', args: {} }] }, { text: 'Painted.' }] }],
  })
  const mcp = JSON.stringify({ wild: { command: process.execPath, args: [server], tools } })
  const terminal = openTerminal({ ...given, env: { ...given.env, SEGNO_MCP: mcp } })
  await terminal.waitFor('›')
  terminal.type('/outputs\r')
  terminal.type('paint\r')
  await terminal.waitFor(/asks: Which colour\?[^]*Answer\?/)
  terminal.type('y')
  await terminal.waitFor('colour ›')
  terminal.type('deep blue\r')
  await terminal.waitFor(/decided {4}answered[^]*✓ wild__ask[^]*Painted\.[^]*Done/)
  expect(terminal.screen()).toContain('"content":{"colour":"deep blue"}')
})
