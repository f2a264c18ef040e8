import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Script } from '../../../src/model/index.ts'
import { startServer, type ServerProcess } from '../../crash/server/server-process.ts'
import { ask, type Body, type Item } from '../../server/support/ask.ts'

/** A real server with its own home, and a way to ask it what the page should show. */
export interface Stage {
  readonly url: string
  readonly home: string
  get(path: string): Promise<Body>
  post(path: string, body?: object): Promise<Body>
  events(sessionId: string): Promise<readonly Item[]>
  /** Kills it without a warning. */
  kill(): Promise<void>
  /** Starts it again at the same place. */
  revive(): Promise<void>
}

export interface StageOptions {
  /** default: what the scripted model plays without a script */
  readonly script?: Script
  readonly env?: Readonly<Record<string, string>>
  /** default: an empty one */
  readonly home?: string
}

export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'segno-web-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

export async function openStage({ script, env = {}, home = newHome() }: StageOptions = {}): Promise<Stage> {
  const file = join(home, 'script.json')
  if (script) writeFileSync(file, JSON.stringify(script))
  const settings = {
    ...(script && { SEGNO_SCRIPT: file }),
    SEGNO_DURABILITY: 'normal',
    SEGNO_LIMITS_RATE_PER_MINUTE: '1000000',
    ...env,
  }
  let server: ServerProcess = await startServer({ home, env: settings })
  const { url, port } = server
  onTestFinished(async () => void (await server.kill()))

  const succeed = async (method: string, path: string, body?: object): Promise<Body> => {
    const answer = await ask(url, method, path, body)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.detail ?? ''}`)
    return answer.body
  }
  return {
    url,
    home,
    get: (path) => succeed('GET', path),
    post: (path, body = {}) => succeed('POST', path, body),
    events: async (id) => (await succeed('GET', `/api/sessions/${id}/events?limit=1000`)).items ?? [],
    kill: async () => void (await server.kill()),
    async revive() {
      server = await startServer({ home, port, env: settings })
    },
  }
}
