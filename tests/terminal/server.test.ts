import { expect, test } from 'vitest'
import { segno, serving } from '../server/support/command.ts'
import { script } from './support/script.ts'
import { homeWith, openTerminal } from './support/terminal.ts'

test('segno chat --server talks with a running one, and goes on when its connection comes back', async () => {
  const there = homeWith(script)
  const here = homeWith(script)
  const server = await serving(there.home, there.env)
  const terminal = openTerminal({ home: here.home, args: ['--server', server.url] })
  await terminal.waitFor(`· ${server.url} ·`)
  terminal.type('hello\r')
  await terminal.waitFor(/Echo: hello[^]*Done/)
  await server.stop()
  await terminal.waitFor('Trying again until it is back')
  terminal.type('anybody?\r')
  await terminal.waitFor(/Your message\s+was not sent/)
  await terminal.waitFor(/› anybody\?$/)
  await serving(there.home, { ...there.env, SEGNO_PORT: new URL(server.url).port })
  await terminal.waitFor('Connected again.')
  terminal.press('enter')
  await terminal.waitFor(/Echo: anybody\?[^]*Done/)
  expect(terminal.screen().match(/› anybody\?/g)).toHaveLength(1)

  const beside = openTerminal({ home: there.home, args: ['--new'] })
  await beside.waitFor(`· ${server.url} ·`)
  beside.type('from the same machine\r')
  await beside.waitFor('Echo: from the same machine')
}, 30_000)

test('what cannot be reached is told in a sentence', async () => {
  const { home, env } = homeWith(script)
  const gone = openTerminal({ home, args: ['--server', 'http://127.0.0.1:1'] })
  expect(await gone.ended).toBe(1)
  await gone.waitFor('segno: Segno at http://127.0.0.1:1 cannot be reached. Is it running?')

  const first = openTerminal({ home, env })
  await first.waitFor('›')
  const { code, err } = await segno(home, ['chat', 'hi'], env)
  expect(code).toBe(1)
  expect(err).toMatch(/^segno: .*\n?.*$/)
  expect(err).toMatch(/another process|in use|open/i)
})
