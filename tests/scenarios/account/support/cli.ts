import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { COMPILED } from '../../../support/compiled.ts'
import { storeSettings } from '../../../support/store-under-test.ts'

const BIN = fileURLToPath(new URL('../../../../src/bin.ts', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'segno-cli-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

const environment = (home: string, more: Readonly<Record<string, string>>) => ({
  PATH: process.env['PATH'],
  ...COMPILED,
  SEGNO_HOME: home,
  SEGNO_PORT: '0',
  SEGNO_LOG: 'off',
  ...more,
})

const start = (home: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  // In its own folder, so that no settings file of ours is read.
  spawn(process.execPath, ['--conditions=segno-source', BIN, ...args], { cwd: home, env: environment(home, env) })

/** `segno …` as a person would run it, to its end; `input` is what it can read. */
export async function segno(
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<Ran> {
  const child = start(home, args, { ...(await storeSettings(home)), ...env })
  if (input !== undefined) child.stdin.end(input)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out: out.trimEnd(), err: err.trimEnd() }
}

/** The same for a reader that leaves before anything is said. */
export async function segnoUnread(home: string, args: readonly string[]): Promise<Omit<Ran, 'out'>> {
  const child = start(home, args, await storeSettings(home))
  child.stdout.destroy()
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, err }
}

export interface ServingChild {
  readonly url: string
  readonly lines: readonly string[]
  /** everything it has said so far, on both of its outputs */
  heard(): string
  stop(): Promise<number | null>
}

/** `segno serve`, ready; told to stop when the test ends. */
export async function serving(home: string, env: Readonly<Record<string, string>> = {}): Promise<ServingChild> {
  const child = start(home, ['serve'], { ...(await storeSettings(home)), ...env })
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM')
    return gone
  }
  onTestFinished(async () => void (await stop()))
  let heard = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (heard += text))
  const wanted = env['SEGNO_REQUIRE_KEY'] === 'on' ? 2 : 1
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) if (lines.push(line) === wanted) break
  const [, url] = /Segno is at (\S+)/.exec(lines[0] ?? '') ?? []
  if (url === undefined) throw new Error(`the server said: ${heard}`)
  return { url, lines, heard: () => heard, stop }
}
