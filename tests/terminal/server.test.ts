import { expect, test } from 'vitest'
import { segno, serving } from '../scenarios/account/support/cli.ts'
import { script } from './support/script.ts'
import { homeWith, openTerminal } from './support/terminal.ts'

interface Found {
  readonly items: readonly { readonly id?: string; readonly requestId?: string }[]
}

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
  terminal.type('anybody?\rand more')
  await terminal.waitFor(/Your message\s+was not sent/)
  await terminal.waitFor(/› anybody\?\n {2}and more$/)
  const port = { ...there.env, SEGNO_PORT: new URL(server.url).port }
  const second = await serving(there.home, port)
  await terminal.waitFor('Connected again.')
  terminal.press('enter')
  await terminal.waitFor(/Echo: anybody\?\nand more[^]*Done/)
  expect(terminal.screen().match(/› anybody\?/g)).toHaveLength(1)

  terminal.type('save\r')
  await terminal.waitFor('Allow?')
  await second.stop()
  await terminal.waitFor(/save[^]*Trying again until it is back[^]*wants to write: notes\.txt\n[^]*Allow\?/)
  terminal.type('y')
  await terminal.waitFor(/cannot be reached[^]*Nothing is decided yet:[^]*wants to write: notes\.txt/)
  expect(terminal.screen()).not.toContain('· allowed')
  // Its answers are cut when it stops.
  const third = await serving(there.home, { ...port, SEGNO_LIMITS_DRAIN_MS: '1' })
  await terminal.waitFor(/Nothing is decided yet[^]*Connected again\.[^]*Allow\?/)
  const { items } = (await (await fetch(`${server.url}/api/rounds?state=waiting`)).json()) as Found
  await fetch(`${server.url}/api/rounds/${items[0]?.requestId}/pause`, { method: 'POST' })
  terminal.type('y')
  await terminal.waitFor(/· allowed[^]*✓ write_file[^]*Paused\. It goes on with: \/resume/)
  terminal.type('/resume\r')
  await terminal.waitFor(/\/resume[^]*Saved\.[^]*Done/)

  const beside = openTerminal({ home: there.home, args: ['--new'] })
  await beside.waitFor(`· ${server.url} ·`)
  beside.type('slow down\r')
  await beside.waitFor('three')
  beside.type('waiting\r')
  await beside.waitFor('next: waiting')
  await third.stop()
  const listed = JSON.parse((await segno(there.home, ['sessions', 'ls', '--json'], there.env)).out) as { id: string }[]
  await segno(there.home, ['sessions', 'rm', listed[0]?.id ?? '', '--yes'], there.env)
  await serving(there.home, port)
  await beside.waitFor(/This conversation is gone[^]*› waiting$/)
  beside.press('enter')
  await beside.waitFor(/Echo: waiting[^]*Done/)
})

test('one message at a terminal notices that somebody else decided', async () => {
  const { home, env } = homeWith(script)
  const { url } = await serving(home, env)
  const terminal = openTerminal({ home, args: ['save'] })
  await terminal.waitFor('[y] yes')
  const found = (await (await fetch(`${url}/api/approvals?status=pending`)).json()) as Found
  await fetch(`${url}/api/approvals/${found.items[0]?.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ decision: 'approve' }),
  })
  await terminal.waitFor(/Somebody else decided that, or it was too late\.\n✓ write_file[^]*Saved\./)
  expect(await terminal.ended).toBe(0)
})

test('what cannot be reached is told in a sentence', async () => {
  const { home, env } = homeWith(script)
  const gone = openTerminal({ home, args: ['--server', 'http://127.0.0.1:1'] })
  expect(await gone.ended).toBe(1)
  await gone.waitFor('segno: Segno at http://127.0.0.1:1 cannot be reached. Is it running?')

  const first = openTerminal({ home, env })
  await first.waitFor('›')
  const { code, err } = await segno(home, ['chat', 'hi'], env)
  expect(code).toBe(1)
  expect(err).toMatch(new RegExp(`^segno: The database \\S+ is in use by .*${first.pid}.*SEGNO_HOME.*$`))
})
