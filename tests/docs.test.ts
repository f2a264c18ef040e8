import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createSegno } from '../src/app.ts'
import { serve } from '../src/channel/http/index.ts'
import { LIMITS } from '../src/config/index.ts'
import { VERSION } from '../src/lib/version.ts'

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
const shellOf = (page: string): string =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n')

async function server(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'segno-docs-'))
  const segno = await createSegno({ home, env: {}, durability: 'normal' })
  const serving = await serve(segno.fetch, { host: '127.0.0.1', port: 0, requestMs: 30_000 })
  onTestFinished(async () => {
    await segno.close()
    await serving.stop()
    rmSync(home, { recursive: true, force: true })
  })
  return serving.url
}

/** Runs lines as they stand on the page; every curl must succeed. */
async function shell(lines: string, segno: string): Promise<string> {
  const script = `set -e\ncurl() { command curl --fail-with-body "$@"; echo; }\n${lines}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, segno } })
  return stdout
}

test('the lines of docs/http-api.md do what the page says', async () => {
  const out = await shell(shellOf(read('docs/http-api.md')), await server())
  for (const shown of ['"finishReason":"complete"', '391', 'event: round.ended', 'event: done', '"ready":true'])
    expect(out).toContain(shown)
})

test('the first message of the README is answered in the terminal', async () => {
  const segno = await server()
  const lines = shellOf(read('README.md'))
    .split('\n\n')
    .filter((block) => block.includes('curl'))
    .join('\n')
    .replaceAll('http://127.0.0.1:4747', segno)
  expect(lines).toContain(segno)
  expect(await shell(lines, segno)).toContain('event: round.ended')
})

test('docs/settings.md has every limit with its default', () => {
  const page = read('docs/settings.md')
  for (const [name, limit] of Object.entries(LIMITS))
    expect(page).toContain(`| \`${name}\` | ${limit.default.toLocaleString('en')} |`)
})

test('the version is the one of the package', () => {
  expect(VERSION).toBe((JSON.parse(read('package.json')) as { version: string }).version)
})
