import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Script } from '../../../src/model/index.ts'
import { startServer, type ServerOptions, type ServerProcess } from '../../crash/server/server-process.ts'

/** A server in a process of its own, gone when the test is over. */
export async function serverChild({ script, ...options }: ServerOptions & { script?: Script }): Promise<ServerProcess> {
  mkdirSync(options.home, { recursive: true })
  const file = join(options.home, 'script.json')
  if (script) writeFileSync(file, JSON.stringify(script))
  const server = await startServer({ ...options, env: { ...(script && { SEGNO_SCRIPT: file }), ...options.env } })
  onTestFinished(async () => void (await server.kill()))
  return server
}
