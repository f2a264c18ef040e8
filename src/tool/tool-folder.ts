import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Tool } from '../contract/tool.ts'
import { ticksOf, type Clock } from '../lib/clock.ts'
import { isObject } from '../lib/type-guards.ts'
import { within } from '../lib/within.ts'
import { createRegistry, withTools, type ToolRegistry } from './registry.ts'

const MODULE = /^[^.].*\.m[jt]s$/
const LOOK_MS = 1000
const LOAD_MS = 10_000

/** Adds the tools of the modules in a folder, which are loaded again when one of them changes. */
export function withToolFolder(base: ToolRegistry, folder: string, clock: Clock): () => Promise<ToolRegistry> {
  let looking = Promise.resolve(base)
  let lookedAt = -Infinity
  let seen = ''

  async function look(current: ToolRegistry): Promise<ToolRegistry> {
    const modules = await modulesIn(folder)
    if (modules.join('\n') === seen) return current
    seen = modules.join('\n')
    let registry = base
    for (const url of modules) registry = await withModule(registry, url)
    return registry
  }

  return () => {
    const now = ticksOf(clock)
    if (now - lookedAt < LOOK_MS) return looking
    lookedAt = now
    return (looking = looking.then(look))
  }
}

/** Sorted URLs; that of a changed file differs, so that it is loaded again. */
async function modulesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const urls = names
    .filter((name) => MODULE.test(name))
    .sort()
    .map(async (name) => {
      const path = join(folder, name)
      const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }))
      return `${pathToFileURL(path).href}?${mtimeMs}-${size}`
    })
  return Promise.all(urls)
}

/** A module that cannot be used is left out with a warning. */
async function withModule(registry: ToolRegistry, url: string): Promise<ToolRegistry> {
  try {
    const tools = await load(url)
    const { all } = await createRegistry(tools)
    const taken = all().find(({ name }) => registry.get(name))
    if (taken) throw new Error(`there is a tool "${taken.name}" already; choose another name`)
    return await withTools(registry, tools)
  } catch (error) {
    const file = decodeURIComponent(new URL(url).pathname)
    process.emitWarning(
      `${file} is not used: ${error instanceof Error ? error.message : String(error)}`,
      'SegnoWarning',
    )
    return registry
  }
}

async function load(url: string): Promise<Tool[]> {
  let exported: unknown
  const loading = import(url).then((module: { default?: unknown }) => (exported = module.default))
  if (!(await within(LOAD_MS, loading))) throw new Error('loading it takes too long')
  const tools = [exported].flat()
  if (!tools.every(isObject)) throw new Error('its default export must be a tool, or a list of tools')
  return tools as unknown as Tool[]
}
