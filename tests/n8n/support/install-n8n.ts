import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, homedir, platform } from 'node:os'
import { dirname, join } from 'node:path'

export const N8N_VERSION = '2.41.1'
/** Compiled where they are installed; every other script of the 2,000 packages is left out. */
const NATIVE = ['sqlite3', 'isolated-vm']

/** Of these, what n8n asks for could not be installed from everywhere. */
const OLDER = {
  linkedom: '0.18.12',
  '@aws-sdk/lib-storage': '3.1166.0',
  '@langchain/core': '1.2.8',
  '@langchain/langgraph': '1.0.2',
  '@langchain/langgraph-checkpoint': '1.0.0',
}

/** Where n8n is kept between runs: `SEGNO_TEST_N8N`, else in the cache of the user. */
function cacheFolder(): string {
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return process.env['SEGNO_TEST_N8N'] || join(caches, 'segno', `n8n-${N8N_VERSION}`)
}

/** The program of n8n, installed outside of the repository when it is not there yet. */
export async function installedN8n(say: (what: string) => void): Promise<string> {
  const folder = cacheFolder()
  const program = join(folder, 'node_modules', 'n8n', 'bin', 'n8n')
  const done = join(folder, 'complete')
  if (existsSync(done) && existsSync(program)) return program
  say(`n8n ${N8N_VERSION} is installed in ${folder}: six to twelve minutes, 2.9 GB, once`)
  mkdirSync(folder, { recursive: true })
  const wanted = {
    private: true,
    dependencies: { n8n: N8N_VERSION },
    overrides: OLDER,
    allowScripts: Object.fromEntries(NATIVE.map((name) => [name, true])),
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted, null, 2))
  say('fetching the packages')
  await npm(folder, say, 'install', '--ignore-scripts')
  say(`compiling ${NATIVE.join(' and ')}`)
  await npm(folder, say, 'rebuild', ...NATIVE, '--ignore-scripts=false')
  writeFileSync(done, '')
  return program
}

/** It says nothing while it works, so the minutes are told. */
async function npm(folder: string, say: (what: string) => void, ...words: string[]): Promise<void> {
  const child = spawn('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    // Compiled here: what others compiled would have to be fetched from elsewhere.
    env: { ...process.env, npm_config_build_from_source: 'true', ...headers() },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const atExit = (): void => void child.kill()
  process.once('exit', atExit)
  let minutes = 0
  const telling = setInterval(() => say(`  npm ${words[0]}: ${++minutes} min`), 60_000)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`npm ${words.join(' ')} in ${folder} ended with ${code}`)
  } finally {
    clearInterval(telling)
    process.removeListener('exit', atExit)
  }
}

/** Where the headers of this Node are, so that they need not be fetched from elsewhere. */
function headers(): Record<string, string> {
  const system = `node-${platform() === 'win32' ? 'win' : platform()}-${arch()}`
  const places = [dirname(dirname(process.execPath)), ...brought(system)]
  const found = places.find((place) => existsSync(join(place, 'include', 'node', 'node.h')))
  return found === undefined ? {} : { npm_config_nodedir: found }
}

/** The Node that npm brought has its headers in a package for this system, inside its own. */
function brought(system: string): string[] {
  try {
    const node = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    return [join(node, 'node_modules', system), join(dirname(node), system)]
  } catch {
    return []
  }
}
