import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ShownWorkspace } from '../../../src/client/index.ts'
import { newHome, segno } from '../account/support/cli.ts'

const workspaceIn = (out: string): ShownWorkspace => JSON.parse(out) as ShownWorkspace

test('segno workspaces makes one, sets what it tells, and shows how it is with that', async () => {
  const home = newHome()
  const run = (...args: string[]) => segno(home, ['workspaces', ...args])
  const { id, folder } = workspaceIn((await run('add', 'Desk', '--json')).out)
  const start = id.slice(0, 13)
  writeFileSync(join(folder, 'notes.md'), 'Buy milk.')
  const set = await run('set', start, '--files', 'notes.md', 'gone.md', '--date', 'off')
  expect(set.out.split('\n')).toEqual([
    `${id}  Desk, files: 2`,
    `  folder ${folder}`,
    '  told besides a message: the workspace',
    '  file notes.md',
    '  file gone.md',
  ])
  const more = await run('set', start, '--system-info', 'on', '--none', 'files')
  expect(more.out).toContain('told besides a message: the workspace, which Segno this is')
  expect(more.out).not.toContain('notes.md')
  expect((await run('context', start)).out).toContain('It has no files or calls.')
  await run('set', start, '--files', 'notes.md', 'gone.md')
  const lines = ['file notes.md: 9 characters', 'file gone.md: "gone.md" does not exist.']
  for (const command of ['context', 'refresh']) expect((await run(command, start)).out.split('\n')).toEqual(lines)
  expect((await run('ls')).out.split('\n')).toEqual(['system  System', `${id}  Desk, files: 2`])
  expect((await run('show', 'system')).out).toContain('told besides a message: the workspace, the date')
}, 120_000)

test('segno chat begins a conversation in a workspace', async () => {
  const home = newHome()
  const { id, folder } = workspaceIn((await segno(home, ['workspaces', 'add', 'Desk', '--json'])).out)
  writeFileSync(join(folder, 'notes.md'), 'Buy milk.')
  await segno(home, ['workspaces', 'set', id, '--files', 'notes.md'])
  const said = await segno(home, ['chat', '--workspace', id.slice(0, 13), '--json', 'What time is it?'])
  const { sessionId } = JSON.parse(said.out) as { sessionId: string }
  expect((await segno(home, ['replay', sessionId, '--prompt'])).out).toContain('Buy milk.')
  const both = await segno(home, ['chat', '--workspace', id, '--session', sessionId, 'And now?'])
  expect([both.code, both.err]).toEqual([1, expect.stringContaining('leave out --session or --workspace')])
  const none = await segno(home, ['chat', '--workspace', 'nothing', 'And now?'])
  expect(none.err).toContain('There is no workspace nothing. segno workspaces ls lists them.')
}, 120_000)

test('segno workspaces says what is wrong', async () => {
  const home = newHome()
  const words = async (...args: string[]): Promise<string> => (await segno(home, ['workspaces', ...args])).err
  expect(await words('set', 'system')).toContain('Say what to set')
  expect(await words('set', 'system', '--date', 'on')).toContain('cannot be changed')
  expect(await words('set', 'system', '--call', 'nonsense')).toContain('expected a JSON object')
  expect(await words('show', 'nothing')).toContain('There is no workspace nothing. segno workspaces ls lists them.')
  const { id } = workspaceIn((await segno(home, ['workspaces', 'add', 'Desk', '--json'])).out)
  const call = { name: 'Stock', server: 'shop', tool: 'stock', args: {}, everyMs: 60_000 }
  expect(await words('set', id, '--call', JSON.stringify(call))).toContain('must be a name of SEGNO_MCP: none')
}, 120_000)
