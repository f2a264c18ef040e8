#!/usr/bin/env node
import { CommanderError } from 'commander'
import { dirname, join, resolve } from 'node:path'
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import {
  problemText,
  program,
  reach,
  safeOutput,
  serveCommand,
  startHeartbeat,
  type Diagnosis,
} from './channel/cli/index.ts'
import {
  describeSettings,
  HOW_TO_SEARCH,
  readConfig,
  readConfigFile,
  roomsOf,
  storeName,
  type Config,
  type Settings,
} from './config/index.ts'
import { LOCAL_OWNER } from './contract/actor.ts'
import { Problem } from './contract/problem.ts'
import type { Models } from './model/index.ts'
import { VERSION } from './lib/version.ts'

/** Loaded only by commands that need Segno in this process; most ask a running server. */
const app = (): Promise<typeof import('./app.ts')> => import('./app.ts')
const say = (line: string): void => console.log(line)

/** The person left instead of answering. */
class Left extends Error {}
const INTERRUPTED = 130

/** Anything but a clear yes is a no. */
async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim())
  } catch (cause) {
    // Ctrl-C or Ctrl-D.
    process.stderr.write('\n')
    throw new Left('', { cause })
  } finally {
    terminal.close()
  }
}

/** The environment overrides the file, and that overrides the command's own choices. */
async function settings(chosen: Settings = {}) {
  const file = await readConfigFile(process.cwd())
  const env = { ...chosen, ...file, ...process.env }
  return { env, file, config: readConfig(env) }
}

async function diagnose(ask: boolean): Promise<Diagnosis> {
  const { env, file, config } = await settings()
  const { models, fault } = await modelsOrFault(config)
  const homeFault = cannotBeWritten(config.home)
  const vectors = await vectorsOf(config)
  return {
    version: VERSION,
    node: process.versions.node,
    home: { path: config.home, ...(homeFault !== undefined && { fault: homeFault }) },
    ...(config.databaseUrl !== undefined && { database: await database(config) }),
    standard: fault === undefined ? models.standard : (config.model ?? ''),
    why: fault ?? models.why,
    ...(fault !== undefined && { fault }),
    providers: await models.providers(),
    models: await models.list(),
    sandbox: await sandbox(config),
    search: search(config),
    vectors,
    results: results(config),
    settings: describeSettings(config, { environment: process.env, 'segno.config': file }),
    ...(ask && fault === undefined && vectors.ok && { asked: await askModel(env) }),
  }
}

/** A model that cannot be used is part of the diagnosis. */
async function modelsOrFault(config: Config): Promise<{ models: Models; fault?: string }> {
  const { modelsOf } = await app()
  try {
    return { models: await modelsOf(config) }
  } catch (error) {
    if (!(error instanceof Problem) || config.model === undefined) throw error
    return { models: await modelsOf({ ...config, model: 'scripted' }), fault: error.message }
  }
}

/** Missing folders are created when needed, if the nearest existing parent is writable. */
function cannotBeWritten(home: string): string | undefined {
  let folder = resolve(home)
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
    return undefined
  } catch {
    return 'cannot be written'
  }
}

async function database(config: Config): Promise<NonNullable<Diagnosis['database']>> {
  const { describeDatabase } = await import('./app-store.ts')
  return { path: storeName(config), ...(await describeDatabase(roomsOf(config).postgres)) }
}

/** Why the bash tool is not offered. */
async function sandbox(config: Config): Promise<Diagnosis['sandbox']> {
  const { sandboxOf } = await import('./app-tools.ts')
  const found = await sandboxOf(roomsOf(config).tools)
  const counts = { kernel: 'the kernel counts its memory', watched: 'Segno counts its memory, memfd_create is refused' }
  if ('run' in found) return { ok: true, note: `runs in a sandbox (${found.kind}; ${counts[found.memory]})` }
  return { ok: false, note: `not offered. ${found.missing} ${found.install}` }
}

/** Which engine web_search asks, or why it is not offered. */
function search({ search: found, assumedToolCost }: Config): Diagnosis['search'] {
  if (!found) return { ok: false, note: `web_search is not offered; ${HOW_TO_SEARCH}` }
  const { engine, url, cost = assumedToolCost } = found
  const price = cost === undefined ? 'price unknown: not for users with a budget for cost' : `$${cost / 1_000_000} each`
  return { ok: true, note: `web_search asks ${engine}${url === undefined ? '' : ` at ${url}`} (${price})` }
}

/** Whether workflows that take long can be told where to report. */
function results(config: Config): Diagnosis['results'] {
  const { url } = roomsOf(config).workflows
  if (url !== undefined) return { ok: true, note: `workflows report them to ${url}` }
  const how = 'set SEGNO_PUBLIC_URL to the address of Segno as they see it'
  return { ok: false, note: `workflows are not told where to report them; ${how}` }
}

/** What makes the vectors of documents and memories, or why Segno would not start with it. */
async function vectorsOf(config: Config): Promise<Diagnosis['vectors']> {
  const { embedderOf } = await app()
  try {
    const { key } = embedderOf(config)
    const isBuiltIn = key.startsWith('built-in:')
    return { ok: true, note: isBuiltIn ? `${key}, which knows English only; SEGNO_EMBEDDINGS names another` : key }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ok: false, note: error.message }
  }
}

/** Runs a real round in a temporary folder. */
async function askModel(env: Settings): Promise<{ ok: boolean; text: string }> {
  const home = mkdtempSync(join(tmpdir(), 'segno-doctor-'))
  // Trying a model needs no shared database.
  const alone = { SEGNO_DATABASE_URL: '', SEGNO_CLUSTER_SECRET: '', SEGNO_NODE_URL: '' }
  const segno = await (await app()).createSegno({ env: { ...env, ...alone }, home, builtInTools: false })
  try {
    const { id } = await segno.createSession()
    const started = performance.now()
    const { completion } = await segno.streamRequest(id, 'Answer with the one word: ready')
    const { content, error, usage, cost } = await completion
    if (error !== undefined) return { ok: false, text: error }
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const price = usage.unpriced ? 'price unknown' : `$${(cost / 1_000_000).toFixed(6)}`
    return { ok: true, text: `it says ${JSON.stringify(content.slice(0, 60))} after ${seconds} s (${price})` }
  } finally {
    await segno.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function reachSegno(server: string | undefined, how: 'createSegno' | 'openPassive', chosen: Settings = {}) {
  const { env, config } = await settings(chosen)
  const key = env['SEGNO_KEY'] || undefined
  // A command that opens the database itself acts as the machine's owner.
  const own = { env: { ...env, SEGNO_REQUIRE_KEY: 'off' } }
  const tell = (line: string): void => console.error(safeOutput(line))
  const shared = config.databaseUrl === undefined ? undefined : storeName(config)
  return reach({ home: config.home, key, server, shared, tell, open: async () => (await app())[how](own) })
}

async function run(args: readonly string[]): Promise<void> {
  if (Number.parseInt(process.versions.node, 10) < 24)
    throw new Problem('INTERNAL_ERROR', `Node 24 is needed; this is ${process.version}.`)
  const segno = program({
    version: VERSION,
    print: say,
    write: (text) => new Promise((resolve) => void process.stdout.write(text, () => resolve())),
    confirm: process.stdin.isTTY ? confirm : undefined,
    diagnose,
    async copy(onProgress) {
      const { copyDatabase } = await import('./app-copy.ts')
      return copyDatabase((await settings()).env, onProgress)
    },
    async migrate() {
      const { migrateDatabase } = await import('./app-store.ts')
      return migrateDatabase((await settings()).env)
    },
    async serve() {
      const { env, config } = await settings({ SEGNO_LOG: 'warn' })
      const { host, port, home, requireKey, limits } = config
      const [{ createSegno }, { serve }] = await Promise.all([app(), import('./channel/http/index.ts')])
      const segno = await createSegno({ env })
      try {
        // Tried now, so that the offered tools are known from the start.
        await segno.tools(LOCAL_OWNER)
        const server = await serve(segno.fetch, { host, port, requestMs: limits.REQUEST_MS })
        const endWithin = startHeartbeat(limits.STALL_MS)
        const store = { store: storeName(config), isShared: config.databaseUrl !== undefined }
        await serveCommand({ segno, server, home, ...store, requireKey, drainMs: limits.DRAIN_MS, endWithin, say })
      } finally {
        await segno.close()
      }
    },
    reach: (server, passive = false) => reachSegno(server, passive ? 'openPassive' : 'createSegno'),
    // What is left running when a person leaves continues when they come back.
    converse: (server) => reachSegno(server, 'createSegno', { SEGNO_LIMITS_DRAIN_MS: '1000' }),
  })
  if (args.length === 0) segno.help({ error: true })
  await segno.parseAsync(args, { from: 'user' })
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else if (error instanceof Problem) {
    console.error(safeOutput(`segno: ${problemText(error)}`))
    process.exitCode = 1
  } else if (error instanceof Left) {
    console.error('Nothing was done.')
    process.exitCode = INTERRUPTED
  } else throw error
}
