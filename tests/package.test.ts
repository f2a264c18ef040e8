import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
