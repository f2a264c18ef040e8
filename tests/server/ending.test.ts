import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSegno } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Exit, ServerProcess } from '../crash/server/server-process.ts'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { composeUnderTest } from '../support/compose-under-test.ts'
import { storeSettings } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { ask, newSession } from './support/ask.ts'
import { serverChild } from './support/server-child.ts'

const DRAIN_MS = 100
/** It is 5 s that the end may take beside DRAIN_MS; the rest is for a machine that has other things to do. */
const MORE_MS = 12_000
/** What answers at once, and what goes on for longer than anybody waits. */
const script = {
  scenarios: [{ when: '^long', turns: [{ text: 'on and on '.repeat(500), deltaChars: 2, delayMs: 20 }] }],
  otherwise: { text: 'Here.' },
}

/** A server in which `planted` runs as a part of its own would. */
async function serverWith(planted: string, env: Record<string, string> = {}) {
  const home = tempHome()
  const file = join(home, 'planted.mjs')
  writeFileSync(file, planted)
  const NODE_OPTIONS = `--import=${file}`
  const limits = { SEGNO_LIMITS_DRAIN_MS: String(DRAIN_MS) }
  return { home, server: await serverChild({ home, script, env: { NODE_OPTIONS, ...limits, ...env } }) }
}

async function stop(server: ServerProcess): Promise<Exit> {
  const asked = performance.now()
  server.signal('SIGTERM')
  const exit = await server.exited
  expect(performance.now() - asked).toBeLessThan(DRAIN_MS + MORE_MS)
  return exit
}

/** A connection that says this and then neither reads nor leaves. */
async function stays(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  await once(socket, 'readable')
  socket.pause()
  return socket
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function isWhole(home: string): Promise<void> {
  const segno = await createSegno({ home, env: await storeSettings(home), model: {} })
  expect((await segno.check()).findings).toEqual([])
  await segno.close()
}

verifies(['COO-10', 'REL-5'], 'who stays connected does not keep a server from ending in time', async () => {
  const { home, server } = await serverWith('')
  const id = await newSession(server.url)
  const stream = `GET /api/sessions/${id}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`
  await ask(server.url, 'POST', `/api/sessions/${id}/messages`, { content: 'long' })
  for (const text of [stream, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 'nonsense\r\n\r\n'])
    await stays(server.url, text)
  expect(await stop(server)).toEqual({ code: 0, signal: null })
  await isWhole(home)
})

verifies(
  ['COO-10', 'REL-5', 'REL-8'],
  'what was told to stop and still runs is left behind, even if a process would wait for it',
  async () => {
    const fifo = join(tempHome(), 'fifo')
    const pidFile = join(tempHome(), 'pid')
    execFileSync('mkfifo', [fifo])
    const deaf = `
      require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))
      process.on('SIGTERM', () => {}); process.stdin.resume(); setInterval(() => {}, 1000)`
    const { home, server } = await serverWith(
      `
      import { readFile } from 'node:fs/promises'
      void readFile(${JSON.stringify(fifo)})`,
      {
        SEGNO_MCP: JSON.stringify({ deaf: { command: process.execPath, args: ['--eval', deaf] } }),
        SEGNO_LIMITS_MCP_CONNECT_MS: '10',
        SEGNO_LIMITS_MCP_STOP_MS: '60000',
      },
    )
    const id = await newSession(server.url)
    await ask(server.url, 'POST', `/api/sessions/${id}/messages`, { content: 'long' })
    await eventually(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '')
    expect(await stop(server)).toEqual({ code: null, signal: 'SIGTERM' })
    expect(server.err()).toContain('segno: Something that was told to stop still runs; it is left behind.')
    await eventually(() => !isAlive(Number(readFileSync(pidFile, 'utf8'))))
    await isWhole(home)
  },
)

const STANDS_STILL = `
  const still = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`

verifies('COO-10', 'a main thread that stands still while it stops is ended in time', async () => {
  const { home, server } = await serverWith(`${STANDS_STILL}
    process.once('SIGTERM', () => setTimeout(still, 10))`)
  expect(await stop(server)).toEqual({ code: null, signal: 'SIGKILL' })
  expect(server.err()).toContain('segno: Something did not stop in time (limit DRAIN_MS); the process is ended.')
  await isWhole(home)
})

test('a main thread that stands still for STALL_MS is ended, one of a process that was stopped is not', async () => {
  const stallMs = 2000
  const { home, server } = await serverWith(`${STANDS_STILL}; process.on('SIGUSR2', still)`, {
    SEGNO_LIMITS_STALL_MS: String(stallMs),
  })
  const id = await newSession(server.url)
  server.signal('SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, stallMs + 200))
  server.signal('SIGCONT')
  await ask(server.url, 'POST', `/api/sessions/${id}/messages`, { content: 'long' })
  expect(server.err()).toBe('')
  server.signal('SIGUSR2')
  expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
  expect(server.err()).toContain('segno: The main thread stood still for 2 s (limit STALL_MS); the process is ended.')
  const again = await composeUnderTest({ home, env: {}, model: { otherwise: { text: 'There.' } } })
  onTestFinished(() => again.close())
  await eventually(async () => (await again.sessions.events(LOCAL_OWNER, id)).at(-1)?.type === 'round.ended')
})
