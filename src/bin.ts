#!/usr/bin/env node
import { join } from 'node:path'
import { createSegno } from './app.ts'
import { serveCommand } from './channel/cli/index.ts'
import { serve } from './channel/http/index.ts'
import { readConfig } from './config/index.ts'
import { Problem } from './contract/problem.ts'

const HELP = `segno serve    runs the server

Settings come from the environment:
  SEGNO_HOST, SEGNO_PORT   where to listen (127.0.0.1, 4747; port 0 picks one)
  SEGNO_HOME               folder of the database (~/.segno)
  SEGNO_SCRIPT             scenarios for the scripted model
  SEGNO_PROTOCOL           unified or triggered
  SEGNO_DURABILITY         full or normal
  SEGNO_LIMITS_...         see docs/settings.md

segno --help   shows this`

async function main(args: readonly string[]): Promise<number> {
  const [command] = args
  if (args.includes('--help') || args.includes('-h') || command === undefined) {
    console.log(HELP)
    return command === undefined ? 2 : 0
  }
  if (command !== 'serve' || args.length > 1) {
    console.error(`segno: there is no "${args.join(' ')}". Try: segno --help`)
    return 2
  }
  const config = readConfig(process.env)
  const segno = await createSegno()
  const { host, port, home, limits } = config
  const server = await serve(segno, { host, port, bodyBytes: limits.BODY_BYTES })
  await serveCommand(segno, server, join(home, 'segno.db'), (line) => console.log(line))
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Problem)) throw error
  console.error(`segno: ${error.message}`)
  process.exitCode = 1
}
