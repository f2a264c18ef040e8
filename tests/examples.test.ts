import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const examples = globSync('examples/*.ts', { cwd: root }).sort()
const run = promisify(execFile)

test('there are examples', () => {
  expect(examples).toEqual(
    ['answers-later', 'crash-and-go-on', 'custom-channel', 'custom-tool', 'embed'].map((name) => `examples/${name}.ts`),
  )
})

describe.each(examples)('%s', (example) => {
  test('runs alone, shows something and finds everything as it should be', async () => {
    const { stdout } = await run(process.execPath, ['--conditions=segno-source', example], {
      cwd: root,
      timeout: 60_000,
    })
    expect(stdout.trim().split('\n').length).toBeGreaterThan(2)
  })

  test('uses nothing but the package itself', () => {
    const imports = [...readFileSync(`${root}${example}`, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name)
    expect(imports.filter((name) => !name?.startsWith('node:') && name !== 'zod')).toEqual(['segno'])
  })
})
