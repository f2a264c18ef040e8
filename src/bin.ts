#!/usr/bin/env node
import { CommanderError } from 'commander'
import { join } from 'node:path'
import { createSegno } from './app.ts'
import { program, reach, serveCommand } from './channel/cli/index.ts'
import { serve } from './channel/http/index.ts'
import { readConfig, readConfigFile, type Settings } from './config/index.ts'
import { Problem } from './contract/problem.ts'
import { VERSION } from './lib/version.ts'

const say = (line: string): void => console.log(line)

/** What is set in the environment wins over the file, and that over what this command would choose. */
async function settings(chosen: Settings = {}) {
  const env = { ...chosen, ...(await readConfigFile(process.cwd())), ...process.env }
  return { env, config: readConfig(env) }
}

async function run(args: readonly string[]): Promise<void> {
  const segno = program({
    version: VERSION,
    print: say,
    async serve() {
      const { env, config } = await settings({ SEGNO_LOG: 'warn' })
      const { host, port, home, requireKey, limits } = config
      const segno = await createSegno({ env })
      try {
        const server = await serve(segno.fetch, { host, port, requestMs: limits.REQUEST_MS })
        await serveCommand({ segno, server, home, store: join(home, 'segno.db'), requireKey, say })
      } finally {
        await segno.close()
      }
    },
    async reach(server) {
      const { env, config } = await settings()
      const key = env['SEGNO_KEY'] || undefined
      // A command that opens the database itself is the owner of this machine.
      const open = () => createSegno({ env: { ...env, SEGNO_REQUIRE_KEY: 'off' } })
      return reach({ home: config.home, key, server, open })
    },
  })
  if (args.length === 0) segno.help({ error: true })
  await segno.parseAsync(args, { from: 'user' })
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else if (error instanceof Problem) {
    console.error(`segno: ${error.message}`)
    process.exitCode = 1
  } else throw error
}
