import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSegno } from '../../src/app.ts'
import { exportedText } from '../../src/channel/cli/topics/audit.ts'
import { exportedSession } from '../../src/channel/cli/export-session.ts'
import { checkDatabase } from '../../src/channel/cli/topics/database.ts'
import { reach, type ReachOptions, type Reached } from '../../src/channel/cli/reach.ts'
import { addKey, listKeys, removeKey } from '../../src/channel/cli/topics/keys.ts'
import { noteServer, notedServer } from '../../src/channel/cli/server-note.ts'
import { approve } from '../../src/channel/cli/topics/people.ts'
import { startOf } from '../../src/lib/is-alive.ts'
import { listSessions } from '../../src/channel/cli/topics/sessions.ts'
import { showRound } from '../../src/channel/cli/topics/rounds.ts'
import { newHome, segno } from '../scenarios/account/support/cli.ts'
import { openSegno } from '../scenarios/library/support/open-segno.ts'
import { problemOf } from '../scenarios/library/support/problem-of.ts'

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
    expect((await listKeys(await reached())).text).toContain('There are no keys')
    expect(heard).toEqual(['Bearer segno_secret'])
  })

  test('is used before this process tries to open it, if it tells when its writer started', async ({ skip }) => {
    skip(startOf(process.pid) === undefined, 'this system does not tell when a process started')
    const home = newHome()
    await openSegno({ home, model: {} })
    const url = await listening(wordy(200, '{"items": [], "next": null}'))
    const forget = noteServer(home, url)
    const open = () => Promise.reject(new Error('it was opened'))
    const reached = () => reach({ home, key: undefined, server: undefined, open })
    expect((await reached()).server).toBe(url)
    const note = JSON.parse(readFileSync(join(home, 'server.json'), 'utf8')) as object
    writeFileSync(join(home, 'server.json'), JSON.stringify({ ...note, started: startOf(process.ppid) }))
    await expect(reached()).rejects.toThrow('it was opened')
    forget()
    await expect(reached()).rejects.toThrow('it was opened')
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

describe('the note of a node on a database that many may open', () => {
  const store = 'postgres://db:5432/segno'
  const opened = 'this process opened it'
  const noteOf = (home: string): string => join(home, `server-${hostname()}.json`)

  async function asked(noted: string, shared: string) {
    const home = newHome()
    const url = await listening(wordy(200, '{"items": [], "next": null}'))
    const forget = noteServer(home, url, noted)
    const open = () => Promise.reject(new Error(opened))
    return { home, url, forget, reached: () => reach({ home, key: undefined, server: undefined, shared, open }) }
  }

  test('is asked before this process opens it as one more node', async () => {
    const { url, forget, reached } = await asked(store, store)
    expect((await reached()).server).toBe(url)
    forget()
    await expect(reached()).rejects.toThrow(opened)
  })

  test('of another database is not asked', async () => {
    const { reached } = await asked('postgres://db:5432/other', store)
    await expect(reached()).rejects.toThrow(opened)
  })

  test('goes with the node that wrote it last', async () => {
    const home = newHome()
    const forget = noteServer(home, 'http://127.0.0.1:1', store)
    const note = { url: 'http://127.0.0.1:2', pid: process.ppid, store, started: startOf(process.ppid) }
    writeFileSync(noteOf(home), JSON.stringify(note))
    forget()
    expect(notedServer(home, store)).toBe('http://127.0.0.1:2')
  })

  async function refusedOf(pid: number): Promise<void> {
    const { home, reached } = await asked(store, store)
    const note = JSON.parse(readFileSync(noteOf(home), 'utf8')) as object
    writeFileSync(noteOf(home), JSON.stringify({ ...note, pid }))
    await expect(reached()).rejects.toThrow(opened)
  }

  test('of a process that is gone is not asked', () => refusedOf(spawnSync('true').pid))

  test('of a process whose number is that of another one by now is not asked: the key goes to nobody', ({ skip }) => {
    skip(startOf(process.pid) === undefined, 'this system does not tell when a process started')
    return refusedOf(process.ppid)
  })
})

describe('a server that does not answer', () => {
  test('is waited for, aloud and not for ever', async () => {
    const told: string[] = []
    const url = await listening(() => {})
    const tell = (line: string): void => void told.push(line)
    const reached = await reaching(url, { tell, patience: { tellMs: 20, giveUpMs: 120 } })
    for (const asked of [
      () => reached.client.request('GET', '/api/keys'),
      () => reached.client.request('GET', '/x', { headers: { accept: 'text/event-stream' } }),
    ]) {
      const problem = await problemOf(asked)
      expect(problem).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining(url) as string })
    }
    expect(told).toEqual(Array(2).fill(`Still waiting for Segno at ${url} …`))
  })

  test('keeps nobody from leaving', async () => {
    const asked = Promise.withResolvers<void>()
    const reached = await reaching(await listening(() => asked.resolve()))
    const answer = problemOf(reached.client.request('GET', '/api/keys'))
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
    const both = await Promise.all([listKeys(reached), checkDatabase(reached)])
    expect(both).toMatchObject([{ json: [] }, { ok: true }])
  })
})

describe('something else that answers', () => {
  const COMMANDS: readonly [string, (reached: Reached) => Promise<unknown>][] = [
    ['keys ls', (reached) => listKeys(reached)],
    ['keys add', (reached) => addKey(reached, 'x', {})],
    ['keys rm', (reached) => removeKey(reached, 'x')],
    ['sessions ls', (reached) => listSessions(reached, {})],
    ['sessions export', (reached) => Array.fromAsync(exportedSession(reached, 'x'.repeat(36), 'jsonl'))],
    ['rounds show', (reached) => showRound(reached, 'x')],
    ['approvals approve', (reached) => approve(reached, 'x', {})],
    ['audit export', (reached) => Array.fromAsync(exportedText(reached))],
    ['db check', (reached) => checkDatabase(reached)],
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
    const { message } = await problemOf(listKeys(await reaching(url)))
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

test('who gives a key where no server runs is told that it is not used', async () => {
  const home = newHome()
  const told: string[] = []
  const open = () => createSegno({ home, env: {} })
  const reached = await reach({ home, key: 'segno_bob', server: undefined, open, tell: (line) => void told.push(line) })
  onTestFinished(() => reached.close())
  expect(told).toEqual([expect.stringMatching(/as the owner of this machine: SEGNO_KEY is for servers/)])
})

test('an address with a password in it is refused, and points to SEGNO_KEY', async () => {
  expect((await problemOf(reaching('http://ada:secret@127.0.0.1:1'))).message).toContain('SEGNO_KEY')
})
