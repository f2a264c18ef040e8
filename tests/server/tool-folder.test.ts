import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../crash/server/server-process.ts'
import { eventually } from '../web/support/eventually.ts'
import { ask } from './support/ask.ts'

const script = {
  scenarios: [
    {
      when: 'greet',
      turns: [{ text: 'I will.', calls: [{ name: 'greet', args: { name: 'Ada' } }] }, { text: 'Done.' }],
    },
  ],
}

const greet = (words: string, more = ''): string => `
  const words: string = ${JSON.stringify(words)}
  export default {
    name: 'greet', description: 'Greets somebody.', ${more}
    input: { type: 'object', properties: { name: { type: 'string', maxLength: 50 } }, required: ['name'] },
    run: ({ name }: { name: string }) => words + ' ' + name,
  }`

async function serving() {
  const home = mkdtempSync(join(tmpdir(), 'segno-folder-'))
  mkdirSync(join(home, 'tools'))
  writeFileSync(join(home, 'script.json'), JSON.stringify(script))
  const server = await startServer({ home, env: { SEGNO_SCRIPT: join(home, 'script.json') } })
  onTestFinished(async () => {
    await server.kill()
    rmSync(home, { recursive: true, force: true })
  })
  return {
    home,
    server,
    put: (file: string, text: string) => writeFileSync(join(home, 'tools', file), text),
    remove: (file: string) => rmSync(join(home, 'tools', file)),
    names: async () =>
      ((await ask(server.url, 'GET', '/api/tools')).body.items as unknown as { name: string }[]).map(
        ({ name }) => name,
      ),
    async greet() {
      const { body: session } = await ask(server.url, 'POST', '/api/sessions', {})
      const { body } = await ask(server.url, 'POST', `/api/sessions/${session.id}/messages?wait=1`, {
        content: 'greet',
      })
      const messages = await ask(server.url, 'GET', `/api/sessions/${session.id}/messages`)
      return { ...body, told: JSON.stringify(messages.body.items) }
    },
  }
}

test('a module in the folder of tools is a tool of the running server, and another one once its file has changed', async () => {
  const { put, remove, names, greet: said } = await serving()
  expect(await names()).not.toContain('greet')

  put('greet.mts', greet('Good morning,'))
  await eventually(names).toContain('greet')
  // It says nothing of an effect, so a person is asked, as with any tool.
  expect(await said()).toMatchObject({ state: 'waiting' })

  put('greet.mts', greet('Good evening,', "effect: 'pure',"))
  await eventually(async () => (await said()).told).toContain('Good evening, Ada')

  remove('greet.mts')
  await eventually(names).not.toContain('greet')
})

test('modules that cannot be used are told about by their names and leave the others alone', async () => {
  const { put, names, server } = await serving()
  put(
    'a-list.mjs',
    `export default ['one', 'two'].map((name) => ({ name, description: '', input: { type: 'object' }, run: () => '' }))`,
  )
  put('b-broken.mjs', 'export default {')
  put('c-throws.mjs', `throw new Error('no database')`)
  put('c-throws-null.mjs', 'throw null')
  put('d-nothing.mjs', 'export const tool = {}')
  put('e-taken.mjs', `export default { name: 'calculator', description: '', input: { type: 'object' }, run: () => '' }`)
  put(
    'f-odd.mjs',
    `export default { name: 'odd', description: '', input: { type: 'object' }, effect: 'whatever', run: () => '' }`,
  )
  put('g-last.mjs', `export default { name: 'last', description: '', input: { type: 'object' }, run: () => '' }`)
  await eventually(names).toContain('last')
  expect(await names()).toEqual(expect.arrayContaining(['one', 'two', 'calculator']))
  expect(await names()).not.toContain('odd')
  await eventually(async () => server.err()).toMatch(
    new RegExp(
      [
        'b-broken\\.mjs is not used: Unexpected',
        'c-throws-null\\.mjs is not used: null',
        'c-throws\\.mjs is not used: no database',
        'd-nothing\\.mjs is not used: its default export must be a tool',
        'e-taken\\.mjs is not used: there is a tool "calculator" already',
        'f-odd\\.mjs is not used: The tool "odd" has the unknown effect class "whatever"',
      ].join('[^]*'),
    ),
  )
})

test('no workspace can have the folder of tools, or a folder around it', async () => {
  const { home, server } = await serving()
  for (const folder of [join(home, 'tools'), home]) {
    const { status, body } = await ask(server.url, 'POST', '/api/workspaces', { name: 'Tools', folder })
    expect([status, body.detail]).toEqual([400, expect.stringContaining('SEGNO_HOME')])
  }
})
