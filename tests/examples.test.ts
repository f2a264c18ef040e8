import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const examples = globSync('examples/*.ts', { cwd: root }).sort()
const run = promisify(execFile)
/** Without the settings of this run of the tests, which are none of Segno's. */
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SEGNO_TEST_')))

test('there are examples', () => {
  expect(examples).toEqual(
    [
      'answers-later',
      'client',
      'crash-and-go-on',
      'custom-channel',
      'custom-tool',
      'embed',
      'governed-orchestration',
      'knowledge',
      'linear-events',
      'orchestrator',
      'session-coordinator',
      'triggered-phases',
      'workflows',
    ].map((name) => `examples/${name}.ts`),
  )
})

describe.each(examples)('%s', (example) => {
  test('runs alone, shows something and finds everything as it should be', async () => {
    const { stdout } = await run(process.execPath, ['--conditions=segno-source', example], {
      cwd: root,
      env: ENV,
      timeout: 60_000,
    })
    expect(stdout.trim().split('\n').length).toBeGreaterThan(2)
  })

  test('uses nothing but the package itself', () => {
    const imports = [...readFileSync(`${root}${example}`, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name)
    expect(imports).toContain('segno')
    expect(imports.filter((name = '') => !/^(?:node:.*|zod|segno|segno\/client)$/.test(name))).toEqual([])
  })
})
