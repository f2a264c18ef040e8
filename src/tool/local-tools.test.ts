import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createRegistry } from './registry.ts'
import { localTools } from './local-tools.ts'

test('registers every tool, each with the effect it really has', async () => {
  const registry = await createRegistry(localTools({ now: () => 0 }))
  expect(registry.all().map(({ name, effect }) => [name, effect])).toEqual([
    ['calculator', 'pure'],
    ['datetime', 'pure'],
    ['list_files', 'pure'],
    ['read_file', 'pure'],
    ['search_files', 'pure'],
    ['write_file', 'unsafe'],
  ])
})

test('refuses fields its tools do not have, and fills in defaults', async () => {
  const registry = await createRegistry(localTools({ now: () => 0 }))
  for (const tool of registry.all()) {
    const validation = await tool.validate({ path: 'a', content: '', query: 'x', expression: '1', surprise: 1 })
    expect(validation).toMatchObject({
      ok: false,
      message: expect.stringContaining('surprise: there is no such field') as string,
    })
  }
  const write = await registry.get('write_file')?.validate({ path: 'a', content: '' })
  expect(write).toEqual({ ok: true, args: { path: 'a', content: '', mode: 'overwrite' } })
})

test('is ready without loading the schema library', () => {
  const door = fileURLToPath(new URL('index.ts', import.meta.url))
  const script = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context) } })
    const { createRegistry, localTools } = await import(${JSON.stringify(door)})
    const registry = await createRegistry(localTools({ now: Date.now }))
    const before = seen.includes('zod')
    await registry.get('calculator').validate({ expression: '1' })
    console.log(JSON.stringify([before, seen.includes('zod')]))`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(JSON.parse(said)).toEqual([false, true])
})
