import { spawnSync } from 'node:child_process'
import { chmodSync, openSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { saveTo } from '../../src/channel/cli/export-session.ts'
import { Problem } from '../../src/contract/problem.ts'
import { newHome, segno } from '../scenarios/account/support/cli.ts'
import { problemOf } from '../scenarios/library/support/problem-of.ts'
import { segnoUnderTest } from '../support/segno-under-test.ts'

async function* pieces(...texts: (string | Error)[]): AsyncGenerator<string> {
  for (const text of texts) {
    if (text instanceof Error) throw text
    yield text
  }
}

function existing(): { folder: string; file: string } {
  const folder = newHome()
  const file = join(folder, 'talk.md')
  writeFileSync(file, 'mine')
  chmodSync(file, 0o644)
  return { folder, file }
}

test('a file that is there is replaced only if it is said, and is private then', async () => {
  const { folder, file } = existing()
  const { message } = await problemOf(saveTo(file, pieces('new'), false))
  expect(message).toContain('--force')
  expect(readFileSync(file, 'utf8')).toBe('mine')
  await saveTo(file, pieces('all ', 'new'), true)
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['all new', 0o600])
  expect(readdirSync(folder)).toEqual(['talk.md'])
})

test('an export that fails leaves everything as it was', async () => {
  const { folder, file } = existing()
  for (const failure of [new Problem('NOT_FOUND', 'There is no such session.'), new Error('the connection broke')])
    await problemOf(saveTo(file, pieces('half', failure), true))
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect(readdirSync(folder)).toEqual(['talk.md'])
})

test('what is no file is never replaced', async () => {
  const { folder, file } = existing()
  const link = join(folder, 'link.md')
  symlinkSync(file, link)
  for (const place of [link, folder, '/dev/null'])
    expect((await problemOf(saveTo(place, pieces('new'), true))).message).toContain(`${place} is there and is no file`)
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('segno sessions export --out says where it is, as JSON to a program, and does not empty a file for nothing', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Here.' }] })
  await it.ask('hello')
  const last = (await it.events()).length
  await it.segno.close()
  const file = join(it.home, 'talk.jsonl')
  const ran = await segno(it.home, ['sessions', 'export', it.sessionId, '--json', '--out', file])
  expect([ran.code, JSON.parse(ran.out)]).toEqual([0, { file, as: 'jsonl' }])
  const written = readFileSync(file, 'utf8')
  expect(written.trimEnd().split('\n')).toHaveLength(last)
  const again = await segno(it.home, ['sessions', 'export', 'abcdef', '--out', file, '--force'])
  expect([again.code, again.out]).toEqual([1, ''])
  expect(readFileSync(file, 'utf8')).toBe(written)
})

const BIN = fileURLToPath(new URL('../../src/bin.ts', import.meta.url))

test('output that cannot be written is told in a sentence', () => {
  const home = newHome()
  const ran = spawnSync(process.execPath, ['--conditions=segno-source', BIN, 'sessions', 'ls'], {
    cwd: home,
    env: { PATH: process.env['PATH'], SEGNO_HOME: home, SEGNO_LOG: 'off' },
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  expect(ran.stderr).toMatch(/^segno: what was to be printed cannot be written: .*no space.*\n$/)
  expect(ran.status).toBe(1)
})
