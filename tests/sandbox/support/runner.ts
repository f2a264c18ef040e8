import { createInterface } from 'node:readline'
import { detectSandbox } from '../../../src/tool/sandbox/detect-sandbox.ts'
import type { Request, Setup } from './start-runner.ts'

/** A process that has a sandbox, as Segno does: requests come as lines on stdin, answers leave as lines on stdout. */
const setup = JSON.parse(process.argv[2] ?? '') as Setup
const uid = Number(process.env['RUNNER_UID'] ?? Number.NaN)
delete process.env['RUNNER_UID']
if (!Number.isNaN(uid)) {
  // Only now: that user may not be able to read this file, or the program that runs it.
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
}
const sandbox = await detectSandbox(setup)
const running = new Map<number, AbortController>()

say('run' in sandbox ? { kind: sandbox.kind, memory: sandbox.memory } : sandbox)
if ('run' in sandbox) {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request | { cancel: number }
    if ('cancel' in request) running.get(request.cancel)?.abort()
    else void answer(request)
  }
}

async function answer({ id, command, folder, timeoutMs }: Request): Promise<void> {
  if (!('run' in sandbox)) return
  const cancel = new AbortController()
  running.set(id, cancel)
  const pieces: Uint8Array[] = []
  try {
    const run = sandbox.run(command, { folder, timeoutMs, signal: cancel.signal })
    let next = await run.next()
    for (; next.done !== true; next = await run.next()) {
      pieces.push(next.value)
      say({ id, started: true })
    }
    say({ id, end: next.value, output: Buffer.concat(pieces).toString('base64') })
  } catch (error) {
    say({ id, error: error instanceof Error ? error.message : String(error) })
  }
}

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}
