import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { script } from './support/script.ts'
import { homeWith, openTerminal } from './support/terminal.ts'

test('commands look into the conversation and change how it goes on', async () => {
  const { home, env } = homeWith(script)
  // It is never asked: a key makes it one that can be chosen.
  const models = { SEGNO_MODEL: 'scripted', OPENAI_API_KEY: 'none' }
  const terminal = openTerminal({ home, env: { ...env, ...models }, cols: 120, rows: 70 })
  await terminal.waitFor('›')
  terminal.type('/cost\r')
  await terminal.waitFor('Nothing has been said yet.')
  terminal.type('hello\r')
  await terminal.waitFor(/Echo: hello[^]*Done/)

  terminal.type('/hlep\r')
  await terminal.waitFor('There is no /hlep. Did you mean /help?')
  terminal.type('/help\r')
  await terminal.waitFor('/sessions [words]')
  terminal.type('/cost\r')
  await terminal.waitFor(/scripted {2}1 round, [\d,]+ tokens in, \d+ out, \$0/)
  terminal.type('/model\r')
  await terminal.waitFor(/• scripted\n[^]*claude-sonnet.*: ANTHROPIC_API_KEY is not set/)
  terminal.type('/model nonsense\r')
  await terminal.waitFor(/› \/model nonsense\n\n.*nonsense/)
  const other = /^ {4}(\S+)$/m.exec(terminal.screen())?.[1] ?? 'another model'
  terminal.type(`/model ${other}\r`)
  await terminal.waitFor(`${other} answers from the next message on.`)
  terminal.type('/model\r')
  await terminal.waitFor(`  • ${other}\n`)
  terminal.type('/preferences\r')
  await terminal.waitFor(/length +not set\n[^]*Set them with: segno preferences set/)
  terminal.type('/memories\r')
  await terminal.waitFor(/Nothing is remembered of you\.\n[^]*Memory is off/)
  terminal.type('/resume\r')
  await terminal.waitFor('Nothing is paused here.')
  terminal.type('/reconcile yes\r')
  await terminal.waitFor('Say which call, and whether it did happen: /reconcile <id> yes')
  terminal.type('/protocol triggered\r')
  await terminal.waitFor('triggered is used from the next message on.')
  terminal.type('/protocol\r')
  await terminal.waitFor('triggered is used.')
  terminal.type('/export out.md\r')
  await terminal.waitFor(/Written to .*out\.md/)
  expect(readFileSync(join(home, 'out.md'), 'utf8')).toContain('Echo: hello')
  terminal.type('/export out.md\r')
  await terminal.waitFor('is there already')
  terminal.type('/prompt\r')
  await terminal.waitFor(/core · \d+ tokens\n[^]*and 2 messages of this conversation/)
  terminal.type('/quit\r')
  expect(await terminal.ended).toBe(0)
})

test('commands say how the model answers from then on, and take it back', async () => {
  const { home, env } = homeWith({ otherwise: { text: '{{params}}' } })
  const options = ['--temperature', '0.2', '--tools', 'none']
  const terminal = openTerminal({ home, env, rows: 60, args: options })
  await terminal.waitFor('›')
  terminal.type('/effort high\r')
  await terminal.waitFor('/effort is high from the next message on.')
  terminal.type('hello\r')
  await terminal.waitFor('{"effort":"high","temperature":0.2,"maxOutput":4000}')
  terminal.type('/temperature usual\r')
  await terminal.waitFor('/temperature is as usual from the next message on.')
  terminal.type('/tools calculator\r')
  await terminal.waitFor('/tools is calculator from the next message on.')
  terminal.type('/tools\r')
  await terminal.waitFor(/\/tools: calculator\n/)
  terminal.type('/maxoutput 9999999\r')
  await terminal.waitFor('maxOutput must be at most 4000')
  terminal.type('again\r')
  await terminal.waitFor('{"effort":"high","maxOutput":4000,"tools":["calculator"],"toolChoice":"auto"}')
  terminal.type('/quit\r')
  expect(await terminal.ended).toBe(0)
})

test('an answer that used up its turns tells how it can go on, and goes on', async () => {
  const { home, env } = homeWith(script)
  const terminal = openTerminal({ home, env: { ...env, SEGNO_LIMITS_MAX_ITERATIONS: '1' }, rows: 60 })
  await terminal.waitFor('›')
  terminal.type('hello\r')
  await terminal.waitFor(/Echo: hello[^]*Done/)
  terminal.type('/continue\r')
  await terminal.waitFor('The last answer did not stop at a limit; just write on.')
  terminal.type('sum\r')
  await terminal.waitFor('It can go on, and counts anew: /continue')
  terminal.type('/continue\r')
  await terminal.waitFor(/› \/continue\n\nContinued\n\nLet me see\.[^]*✓ calculator/)
  terminal.type('/quit\r')
  expect(await terminal.ended).toBe(0)
})

test('forks, new conversations and old ones are a command away', async () => {
  const terminal = openTerminal({ ...homeWith(script), rows: 60 })
  await terminal.waitFor('›')
  terminal.type('first thing\r')
  await terminal.waitFor(/Done · .*#7/)
  terminal.type('second thing\r')
  await terminal.waitFor(/Echo: second thing[^]*Done/)
  terminal.type('/fork 7\r')
  await terminal.waitFor(
    /── first thing \(fork\) ──\n\n› first thing\n\nEcho: first thing\n\nDone.*\n\nThis is a fork from #7/,
  )
  terminal.type('another way\r')
  await terminal.waitFor(/Echo: another way[^]*Done/)

  terminal.type('/new\r')
  await terminal.waitFor('A new conversation begins')
  terminal.type('something else\r')
  await terminal.waitFor(/Echo: something else[^]*Done/)
  terminal.type('/sessions first\r')
  await terminal.waitFor(/ 1 {2}first thing \(fork\) · just now\n +2 {2}first thing · just now\n\nnumber ›$/)
  expect(terminal.screen()).not.toMatch(/\d {2}something else ·/)
  // A command is a command there too.
  terminal.type('/protocol\r')
  await terminal.waitFor(/unified is used\.[^]*\n\n›$/)
  terminal.type('/sessions first\r')
  await terminal.waitFor(/number ›$/)
  terminal.type('2\r')
  await terminal.waitFor(/── first thing ──\n\n› second thing/)

  terminal.type('/clear\r')
  await terminal.waitFor('Cleared: the model has forgotten')
  terminal.type('/prompt\r')
  await terminal.waitFor('and 0 messages of this conversation')
})

test('a call that runs is not cut when somebody leaves; one that was killed can be settled here', async () => {
  const { home, env } = homeWith({
    scenarios: [
      { when: '^work', turns: [{ calls: [effect('first', 1200)] }, { text: 'Worked.' }] },
      { when: '^crash', turns: [{ calls: [effect('second', 60_000)] }, { text: 'Well.' }] },
    ],
  })
  const server = fileURLToPath(new URL('../mcp/servers/wild.ts', import.meta.url))
  const tools = { effect: { effect: 'unsafe', approval: 'auto', reach: [] } }
  const wild = { command: process.execPath, args: [server, '', join(home, 'done.txt')], tools }
  const given = { home, cols: 120, env: { ...env, SEGNO_MCP: JSON.stringify({ wild }) } }
  const terminal = openTerminal(given)
  await terminal.waitFor('›')
  terminal.type('work\r')
  await terminal.waitFor(/\S wild__effect first ms=1200\n/)
  terminal.press('ctrl-d')
  await terminal.waitFor('wild__effect would get 10 s to finish')
  terminal.press('ctrl-d')
  await terminal.waitFor('wild__effect gets 10 s to finish.')
  expect(await terminal.ended).toBe(0)

  const back = openTerminal(given)
  await back.waitFor(/✓ wild__effect first[^]*Worked\.[^]*Done/)
  back.type('crash\r')
  await back.waitFor(/\S wild__effect second ms=60000\n/)
  await expect.poll(() => readFileSync(join(home, 'done.txt'), 'utf8')).toBe('first\nsecond\n')
  await back.kill()
  const after = openTerminal(given)
  await after.waitFor(/\? wild__effect second.* · unknown: \/reconcile \S+ yes\|no[^]*Well\./)
  const [, settle = ''] = /(\/reconcile \S+) yes\|no/.exec(after.screen()) ?? []
  after.type(`${settle} yes\r`)
  await after.waitFor('Settled: it did happen.')
})

const effect = (label: string, ms: number) => ({ name: 'wild__effect', args: { label, ms } })
