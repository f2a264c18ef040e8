import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startOf } from '../../src/lib/is-alive.ts'
import { failedStart } from '../crash/server/server-process.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { verifies } from '../support/verifies.ts'
import { ask, newSession } from './support/ask.ts'
import { serverChild } from './support/server-child.ts'

verifies('REL-3', 'a second server on the same home says who has it, and the first one is not disturbed', async () => {
  const home = tempHome()
  const first = await serverChild({ home })
  const id = await newSession(first.url)
  const { code, said } = await failedStart({ home })
  expect(code).toBe(1)
  expect(said).toContain(join(home, 'segno.db'))
  expect(said).toContain(`process ${first.pid}`)
  expect(said).toContain('SEGNO_HOME')
  expect(said).not.toMatch(/\n\s+at /)
  const answer = await ask(first.url, 'POST', `/api/sessions/${id}/messages?wait=1`, { content: 'hi' })
  expect(answer.status).toBe(200)
  // Whoever looks for the server still finds the first one.
  const { url, pid } = first
  expect(JSON.parse(readFileSync(join(home, 'server.json'), 'utf8'))).toEqual({ url, pid, started: startOf(pid) })
})

verifies('REL-3', 'after the first one was killed, a second server has the home at once', async () => {
  const home = tempHome()
  const first = await serverChild({ home })
  await first.kill()
  const second = await serverChild({ home })
  expect((await ask(second.url, 'GET', '/ready')).status).toBe(200)
})

test('a port that is taken is named, and the database is free again afterwards', async () => {
  const first = await serverChild({ home: tempHome() })
  const home = tempHome()
  const { code, said } = await failedStart({ home, port: first.port })
  expect(code).toBe(1)
  expect(said).toContain(String(first.port))
  expect(said).toContain('SEGNO_PORT')
  expect((await ask((await serverChild({ home })).url, 'GET', '/ready')).status).toBe(200)
})

test.each([
  ['SEGNO_PORT', 'abc'],
  ['SEGNO_PORT', '70000'],
  ['SEGNO_FOO', '1'],
  ['SEGNO_LIMITS_MAX_ROUNDS', 'many'],
  ['SEGNO_LIMITS_MAX_ROUND', '5'],
  ['SEGNO_PROTOCOL', 'both'],
  ['SEGNO_REQUIRE_KEY', 'maybe'],
  ['TWO_STAGE_ENABLED', 'si'],
  ['SEGNO_CORS_ORIGINS', 'https://a.example/path'],
  ['SEGNO_SCRIPT', '/nowhere/script.json'],
])('%s=%s stops the start, by name and without a stack', async (name, value) => {
  const home = join(tempHome(), 'home')
  const cwd = tempHome()
  const { code, said } = await failedStart({ home, cwd, env: { [name]: value } })
  expect(code).toBe(1)
  expect(said).toContain(value.startsWith('/') ? value : name)
  expect(said).not.toMatch(/\n\s+at /)
  expect(existsSync(join(home, 'segno.db'))).toBe(false)
})

test('every wrong setting is named, not only the first', async () => {
  const { said } = await failedStart({ home: tempHome(), env: { SEGNO_FOO: '1', SEGNO_LIMITS_QUEUE_LENGTH: '-3' } })
  expect(said).toContain('SEGNO_FOO')
  expect(said).toContain('SEGNO_LIMITS_QUEUE_LENGTH')
})

test.each([
  ['a typo', { 'segno.config.json': '{ "SEGNO_PORTT": 4800 }' }, ['segno.config.json', 'SEGNO_PORTT', 'SEGNO_PORT?']],
  ['broken JSON', { 'segno.config.json': '{ "SEGNO_HOST": ' }, ['segno.config.json']],
  ['a list', { 'segno.config.json': '[1]' }, ['segno.config.json', 'object']],
  ['a value that is an object', { 'segno.config.json': '{ "SEGNO_HOST": {} }' }, ['segno.config.json', 'SEGNO_HOST']],
  [
    'both files',
    { 'segno.config.json': '{}', 'segno.config.ts': 'export default {}' },
    ['segno.config.json', 'segno.config.ts', 'keep one'],
  ],
])('a config file with %s stops the start, and says what is wrong', async (_, files, named) => {
  const cwd = tempHome()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const { code, said } = await failedStart({ home: tempHome(), cwd })
  expect(code).toBe(1)
  for (const word of named) expect(said).toContain(word)
  expect(said).not.toMatch(/\n\s+at /)
})

test('a config file is used, and the environment wins over it', async () => {
  const cwd = tempHome()
  const home = join(cwd, 'home')
  mkdirSync(home)
  writeFileSync(join(cwd, 'segno.config.json'), JSON.stringify({ TWO_STAGE_ENABLED: true, SEGNO_PORT: 1 }))
  const server = await serverChild({ home, cwd })
  expect((await ask(server.url, 'POST', '/api/chat/messages_two_stage', { content: 'hi' })).status).toBe(200)
  rmSync(join(cwd, 'segno.config.json'))
})
