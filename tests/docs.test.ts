import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createSegno } from '../src/app.ts'
import { serve } from '../src/channel/http/index.ts'
import { LIMITS } from '../src/config/index.ts'
import { CAUSES } from '../src/model/call/causes.ts'
import { VERSION } from '../src/lib/version.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
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
    .replace('http://127.0.0.1:4747', segno)
  expect(lines).toContain(segno)
  expect(await shell(lines, segno)).toContain('event: round.ended')
})

test('docs/settings.md has every limit with its default', () => {
  const page = read('docs/settings.md')
  for (const [name, limit] of Object.entries(LIMITS))
    expect(page).toContain(`| \`${name}\` | ${limit.default.toLocaleString('en')} |`)
})

test('every cause of a failed model call stands in its documentation with what to do about it', () => {
  const page = read('docs/models.md').replaceAll('`', '')
  for (const { reason, next } of Object.values(CAUSES)) expect(page).toContain(`| ${reason} | ${next} |`)
})

test('the version is the one of the package, and of the line of the README that installs it', () => {
  expect(VERSION).toBe((JSON.parse(read('package.json')) as { version: string }).version)
  expect(read('README.md')).toContain(`npm install ./segno-${VERSION}.tgz && npx segno serve`)
})

const PAGES = globSync('**/*.md', { cwd: ROOT, exclude: ['**/node_modules', '**/dist', '**/.*'] }).sort()
const LONGEST_LINE = 119
const MOST_STOPS = 16

test.for(PAGES)('%s has short lines, except in tables, and links that lead somewhere', (page) => {
  const text = read(page)
  const long = text.split('\n').filter((line) => line.length > LONGEST_LINE && !/^\s*\|/.test(line))
  expect(long).toEqual([])
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].map(([, link = '']) => link)
  const broken = links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const file = path === '' ? page : join(dirname(page), path)
    return !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(read(file)).has(anchor))
  })
  expect(broken).toEqual([])
})

/** As GitHub names them. */
function anchorsOf(page: string): Set<string> {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

test.for(['A message', 'An approval', 'A kill', 'A call of an MCP tool', 'A workflow'])(
  'the walk "%s" of ARCHITECTURE.md leads past files and functions that are there, and not too many',
  (title) => {
    const [, walk = ''] = read('ARCHITECTURE.md').split(`### ${title}\n`)
    const [section = ''] = walk.split(/\n##/)
    const stops = [...section.matchAll(/^\d+\. `(src\/[^`]+)` `([^`]+)`:/gm)]
    expect(stops.length).toBe(section.match(/^\d+\./gm)?.length)
    expect(stops.length).toBeGreaterThan(5)
    expect(stops.length).toBeLessThanOrEqual(MOST_STOPS)
    for (const [, file = '', name = ''] of stops) expect(read(file)).toMatch(new RegExp(`\\b${name}\\b`))
  },
)
