import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Problem } from '../contract/problem.ts'
import { DEEPEST_JSON, nestsDeeper } from '../lib/nesting.ts'
import { isObject } from '../lib/type-guards.ts'
import { AS_JSON, hint, NAMES, type Settings } from './config.ts'

const FILES = ['segno.config.ts', 'segno.config.json'] as const

/** Reads `segno.config.ts` or `segno.config.json`, with the names of the environment. */
export async function readConfigFile(folder: string): Promise<Settings> {
  const found = FILES.filter((name) => existsSync(join(folder, name)))
  if (found.length > 1) throw new Problem('CONFIG_ERROR', `There are two of ${FILES.join(' and ')}; keep one of them.`)
  const [name] = found
  return name === undefined ? {} : settings(name, await load(join(folder, name)))
}

async function load(file: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return parse(readFileSync(file, 'utf8'))
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default
  } catch (cause) {
    throw new Problem('CONFIG_ERROR', `${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

function parse(text: string): unknown {
  if (nestsDeeper(text)) throw new Error(`it is nested more than ${DEEPEST_JSON} levels deep`)
  return JSON.parse(text)
}

function settings(name: string, value: unknown): Settings {
  if (!isObject(value))
    throw new Problem('CONFIG_ERROR', `${name} must hold an object of settings, such as { "SEGNO_PORT": 4800 }.`)
  const faults: string[] = []
  const read = Object.entries(value).map(([key, setting]: [string, unknown]): [string, string] => {
    if (!NAMES.includes(key)) faults.push(`${key} is not a setting${hint(key)}`)
    if (AS_JSON.includes(key) && setting !== null && typeof setting === 'object') return [key, JSON.stringify(setting)]
    if (!['string', 'number', 'boolean'].includes(typeof setting))
      faults.push(`${key} must be text, a number, true or false`)
    return [key, String(setting)]
  })
  if (faults.length > 0) throw new Problem('CONFIG_ERROR', `${name}: ${faults.join('; ')}.`)
  return Object.fromEntries(read)
}
