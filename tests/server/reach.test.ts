import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSegno } from '../../src/app.ts'
import { exportedLines } from '../../src/channel/cli/audit-command.ts'
import { exportedSession } from '../../src/channel/cli/export-session.ts'
import { checkDatabase } from '../../src/channel/cli/database-commands.ts'
import { reach, type ReachOptions, type Reached } from '../../src/channel/cli/reach.ts'
import { addKey, listKeys, removeKey } from '../../src/channel/cli/keys-command.ts'
import { decideApproval } from '../../src/channel/cli/people-commands.ts'
import { listSessions } from '../../src/channel/cli/sessions-commands.ts'
import { showRound } from '../../src/channel/cli/rounds-commands.ts'
import { newHome } from '../scenarios/account/support/cli.ts'
import { openSegno } from '../scenarios/library/support/open-segno.ts'
import { problemOf } from '../scenarios/library/support/problem-of.ts'
import { segno } from './support/command.ts'

/** Somebody who listens on a port; gone when the test ends. */
async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const reaching = (server: string, more: Partial<ReachOptions> = {}): Promise<Reached> =>
  reach({ home: newHome(), key: undefined, server, open: () => Promise.reject(new Error('not asked for')), ...more })

const wordy = (status: number, body: string): RequestListener => {
  return (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

describe('the note of a server', () => {
  async function noted(pid: number) {
    const home = newHome()
    await openSegno({ home, model: {} })
    const heard: (string | undefined)[] = []
    const url = await listening(({ headers }, response) => {
      heard.push(headers.authorization)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": [], "next": null}')
    })
    writeFileSync(join(home, 'server.json'), JSON.stringify({ url, pid }))
    const open = () => createSegno({ home, env: {} })
    return { heard, reached: () => reach({ home, key: 'segno_secret', server: undefined, open }) }
  }

  test('is used while the process that wrote it has the database', async () => {
    const { heard, reached } = await noted(process.pid)
    expect(await listKeys(await reached(), false)).toContain('There are no keys')
    expect(heard).toEqual(['Bearer segno_secret'])
  })

  test.each([
    ['a process that is gone', () => spawnSync('true').pid],
    ['another process that is there', () => process.ppid],
  ])('is not used when it is of %s: the key goes to nobody', async (_, pid) => {
    const { heard, reached } = await noted(pid())
    const problem = await problemOf(reached())
    expect(problem.code).toBe('STORE_BUSY')
    expect(problem.message).toContain(
      `in use by another Segno process (process ${process.pid}), such as an open segno chat`,
    )
    expect(heard).toEqual([])
  })
})

describe('a server that does not answer', () => {
  test('is waited for, aloud and not for ever', async () => {
    const told: string[] = []
    const url = await listening(() => {})
    const tell = (line: string): void => void told.push(line)
    const reached = await reaching(url, { tell, patience: { tellMs: 20, giveUpMs: 120 } })
    for (const asked of [
      () => reached.ask('GET', '/api/keys'),
      () => reached.stream('/x', new AbortController().signal),
    ]) {
      const problem = await problemOf(asked)
      expect(problem).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining(url) as string })
    }
    expect(told).toEqual(Array(2).fill(`Still waiting for Segno at ${url} …`))
  })

  test('keeps nobody from leaving', async () => {
    const asked = Promise.withResolvers<void>()
    const reached = await reaching(await listening(() => asked.resolve()))
    const answer = problemOf(reached.ask('GET', '/api/keys'))
    await asked.promise
    await reached.close()
    expect(await answer).toMatchObject({ code: 'SHUTTING_DOWN' })
  })

  test('may take its time once it has begun, and for what reads the whole database', async () => {
    const url = await listening((request, response) => {
      response.setHeader('content-type', 'application/json')
      if (request.url === '/api/keys') response.write('{"items": [], ')
      const rest = request.url === '/api/keys' ? '"next": null}' : '{"ok": true, "findings": []}'
      setTimeout(() => response.end(rest), 2000)
    })
    const reached = await reaching(url, { patience: { tellMs: 60_000, giveUpMs: 1500 } })
    const both = await Promise.all([listKeys(reached, true), checkDatabase(reached, false, () => {})])
    expect(both).toMatchObject(['[]', { ok: true }])
  })
})

describe('something else that answers', () => {
  const COMMANDS: readonly [string, (reached: Reached) => Promise<unknown>][] = [
    ['keys ls', (reached) => listKeys(reached, false)],
    ['keys add', (reached) => addKey(reached, 'x', {}, false)],
    ['keys rm', (reached) => removeKey(reached, 'x', false)],
    ['sessions ls', (reached) => listSessions(reached, {}, false)],
    ['sessions export', (reached) => Array.fromAsync(exportedSession(reached, 'x'.repeat(36), 'jsonl'))],
    ['rounds show', (reached) => showRound(reached, 'x', false)],
    ['approvals approve', (reached) => decideApproval(reached, 'x', 'approve', {}, false)],
    ['audit export', (reached) => Array.fromAsync(exportedLines(reached))],
    ['db check', (reached) => checkDatabase(reached, false, () => {})],
  ]

  test.each([
    ['other JSON', 200, '{"hello": 1}'],
    ['a list that is none', 200, '{"items": 7, "next": null}'],
    ['nothing', 200, 'null'],
    ['half of a JSON', 200, '{"hello'],
    ['another error', 500, '{"message": "nope"}'],
  ])('with %s is told to be no Segno, by every command', async (_, status, body) => {
    const url = await listening(wordy(status, body))
    const reached = await reaching(url)
    for (const [name, run] of COMMANDS) {
      const { message } = await problemOf(() => run(reached))
      expect([name, message]).toEqual([name, `What answered is not Segno (status ${status}). Look at the address.`])
    }
  })

  test('cannot command the terminal', async () => {
    const detail = 'no \u001b]0;pwned\u0007\u009b31m such'
    const url = await listening(wordy(404, JSON.stringify({ code: 'NOT_FOUND', detail })))
    const ran = await segno(newHome(), ['keys', 'ls', '--server', url])
    expect([ran.code, ran.out]).toEqual([1, ''])
    expect(ran.err).toBe('segno: no \\u{1b}]0;pwned\\u{7}\\u{9b}31m such')
  })

  test('an answer that breaks off is told in a sentence', async () => {
    const url = await listening((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"items": ')
      setTimeout(() => response.destroy(), 20)
    })
    const { message } = await problemOf(listKeys(await reaching(url), false))
    expect(message).toBe('The answer broke off. Is Segno still running?')
  })
})

test.each(['segno_abc\r\n', 'schlüssel', 'two words', '\u001b[31m'])(
  'a key that is none is not sent: %j',
  async (key) => {
    const { code, message } = await problemOf(reaching('http://127.0.0.1:1', { key }))
    expect(code).toBe('CONFIG_ERROR')
    expect(message).toContain('SEGNO_KEY')
    expect(message).not.toContain(key)
  },
)

test('an address with a password in it is refused, and points to SEGNO_KEY', async () => {
  expect((await problemOf(reaching('http://ada:secret@127.0.0.1:1'))).message).toContain('SEGNO_KEY')
})
