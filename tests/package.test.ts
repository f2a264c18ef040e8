import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** Inside the project, so that its dependencies are found. */
let dist = ''

beforeAll(() => {
  dist = mkdtempSync(join(root, 'node_modules', '.segno-package-'))
  const rolldown = join(root, 'node_modules', '.bin', 'rolldown')
  execFileSync(rolldown, ['--config', 'rolldown.config.ts', '--dir', dist], { cwd: root, stdio: 'ignore' })
}, 60_000)

afterAll(() => rmSync(dist, { recursive: true, force: true }))

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'segno-package-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

const env = (home: string) => ({ PATH: process.env['PATH'] ?? '', HOME: home, SEGNO_HOME: home, SEGNO_PORT: '0' })

test('the built command serves: a message is answered, and a command beside it finds the server', async () => {
  const home = newHome()
  const server = spawn(process.execPath, [join(dist, 'bin.js'), 'serve'], { env: env(home), cwd: home })
  onTestFinished(() => void server.kill('SIGKILL'))
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const [url = ''] = /http:\S+/.exec(String(line)) ?? []
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const { id } = (await (await post('/api/sessions', {})).json()) as { id: string }
  expect(await (await post(`/api/sessions/${id}/messages?wait=1`, { content: 'hi' })).json()).toMatchObject({
    finishReason: 'complete',
  })
  const said = execFileSync(process.execPath, [join(dist, 'bin.js'), 'audit', 'verify'], { env: env(home), cwd: home })
  expect(String(said)).toContain('The audit log is whole')
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})

test('the built command works without a server', () => {
  const home = newHome()
  const run = (...args: string[]) =>
    String(execFileSync(process.execPath, [join(dist, 'bin.js'), ...args], { env: env(home), cwd: home }))
  expect(run('keys', 'add', 'one')).toMatch(/^segno_/)
  expect(run('keys', 'ls')).toContain('"one"')
  expect(run('audit', 'verify')).toContain('1 records')
})

test('the built library answers HTTP without running the command', () => {
  const home = newHome()
  const script = `
    const { createSegno } = await import(${JSON.stringify(join(dist, 'index.js'))})
    const segno = await createSegno({ home: ${JSON.stringify(home)}, env: {} })
    const answer = await segno.fetch(new Request('http://localhost/health'))
    console.log(answer.status, await answer.text())
    await segno.close()`
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env: env(home), cwd: home })
  expect(String(said).trim()).toBe('200 {"status":"ok"}')
})

/** Told at the end of a process: the packages and parts of Node it loaded, and the files of ours. */
const LISTING = `
  import { registerHooks } from 'node:module'
  import { writeFileSync } from 'node:fs'
  const urls = new Set()
  registerHooks({ load: (url, context, next) => (urls.add(url), next(url, context)) })
  process.on('exit', () => {
    const inside = process.moduleLoadList.filter((one) => one.includes('deps/undici'))
    writeFileSync(process.env.LISTED, JSON.stringify([...urls, ...inside]))
  })`

function loadedBy(home: string, args: readonly string[]): { packages: string[]; own: string[]; node: string[] } {
  const listed = join(home, 'listed.json')
  const listing = `data:text/javascript,${encodeURIComponent(LISTING)}`
  execFileSync(process.execPath, ['--import', listing, ...args], { env: { ...env(home), LISTED: listed }, cwd: home })
  const all = JSON.parse(readFileSync(listed, 'utf8')) as string[]
  const after = (mark: string) =>
    all.flatMap((one) => (one.includes(mark) ? [one.slice(one.lastIndexOf(mark) + mark.length)] : []))
  const packages = after('/node_modules/').filter((path) => !path.startsWith('.segno-package-'))
  return {
    packages: [
      ...new Set(
        packages.map((path) =>
          path
            .split('/')
            .slice(0, path.startsWith('@') ? 2 : 1)
            .join('/'),
        ),
      ),
    ],
    own: after(`${basename(dist)}/`),
    node: all.filter((one) => !one.startsWith('file:')),
  }
}

const round = (home: string, message: string) => [
  '--input-type=module',
  '--eval',
  `const { createSegno } = await import(${JSON.stringify(join(dist, 'index.js'))})
   const segno = await createSegno({ home: ${JSON.stringify(home)}, env: {} })
   const { id } = await segno.createSession()
   const { completion } = await segno.streamRequest(id, ${JSON.stringify(message)})
   const { finishReason } = await completion
   if (finishReason !== 'complete') throw new Error(finishReason)
   await segno.close()`,
]

test.for([
  ['without a tool', 'hello', []],
  ['with a tool', 'what is 17 * 23', ['zod.js']],
] as const)('a first round %s loads nothing that it does not use', ([, message, parts]) => {
  const home = newHome()
  const { packages, own, node } = loadedBy(home, round(home, message))
  expect(packages).toEqual(['canonicalize'])
  expect(own).not.toContainEqual(expect.stringMatching(/^(?:http|sender|show-response|ollama|bin)\d*\.js$/))
  expect(own.filter((file) => file === 'zod.js')).toEqual(parts)
  // What Node has for HTTP takes longer to load than all of Segno.
  expect(node).not.toContainEqual(expect.stringMatching(/^node:(?:https?|http2|tls|zlib)$|undici/))
})

test('the built client is one file that a browser can load', async () => {
  const text = readFileSync(join(dist, 'client.js'), 'utf8')
  expect(text).not.toMatch(/^import |\bimport\(|\brequire\(|\bprocess\./m)
  const { createClient } = (await import(join(dist, 'client.js'))) as typeof import('../src/client/index.ts')
  const asked: string[] = []
  const client = createClient({
    baseUrl: 'https://segno.example/base/',
    fetch: async (url) => {
      asked.push(url)
      return Response.json({ id: 'a', version: '1', model: 'm' })
    },
  })
  expect(await client.me()).toMatchObject({ id: 'a' })
  expect(asked).toEqual(['https://segno.example/base/api/me'])
})

test('help is told without loading Segno itself', () => {
  const { packages, own } = loadedBy(newHome(), [join(dist, 'bin.js'), '--help'])
  expect(packages).toEqual(['commander'])
  expect(own).not.toContainEqual(expect.stringMatching(/^(?:app|http|zod)\d*\.js$/))
})
