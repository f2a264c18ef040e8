import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { defaultScript, type Script } from '../../../src/model/index.ts'
import { startServer, type ServerOptions, type ServerProcess } from '../../crash/server/server-process.ts'
import { strictProvider, WIRE, WIRE_MODELS } from '../../support/compose-under-test.ts'

/** A server in a process of its own, gone when the test is over. */
export async function serverChild({ script, ...options }: ServerOptions & { script?: Script }): Promise<ServerProcess> {
  mkdirSync(options.home, { recursive: true })
  const server = await startServer({ ...options, env: { ...(await modelOf(options.home, script)), ...options.env } })
  onTestFinished(async () => void (await server.kill()))
  return server
}

/** The settings that make a server play a script. */
async function modelOf(home: string, script: Script | undefined): Promise<Record<string, string>> {
  if (WIRE) return { ...(await strictProvider(script ?? defaultScript)).env, SEGNO_MODEL: WIRE_MODELS[WIRE] }
  if (!script) return {}
  const file = join(home, 'script.json')
  writeFileSync(file, JSON.stringify(script))
  return { SEGNO_SCRIPT: file }
}
