import type { LanguageModelV4 } from '@ai-sdk/provider'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Problem } from '../../contract/problem.ts'
import { isObject } from '../../lib/type-guards.ts'

type MakeModel = (modelId: string) => LanguageModelV4

/** What is wrong with a package; undefined if it is installed. */
export function packageMissing(name: string): string | undefined {
  if (fileOf(name) !== undefined) return undefined
  return `the package ${name} is not installed; in the folder that Segno is started in: npm install ${packageOf(name)}`
}

/** Loads a package with a `create…` function. */
export async function loadPackage(name: string): Promise<(options: object) => MakeModel> {
  const file = fileOf(name)
  if (file === undefined) throw unusable(packageMissing(name) ?? '')
  const create = factoryIn((await import(pathToFileURL(file).href)) as Record<string, unknown>, name)
  if (!create) throw unusable(`the package ${name} has no create… function, which would make its models`)
  return (options) => {
    const provider = create(options) as (MakeModel & { languageModel?: MakeModel }) | undefined
    const make = provider?.languageModel?.bind(provider) ?? provider
    if (typeof make !== 'function') throw unusable(`what the package ${name} creates makes no models`)
    return (modelId) => checked(make(modelId), name)
  }
}

/** Packages of another generation look alike, and fail in odd ways. */
function checked(model: LanguageModelV4 | undefined, name: string): LanguageModelV4 {
  const { specificationVersion: version } = (model ?? {}) as { readonly specificationVersion?: string }
  if (model && version === 'v4') return model
  const which = version ? `of version ${version}` : 'without a version'
  throw unusable(`the package ${name} makes models ${which}, and Segno needs version v4; install another release of it`)
}

const unusable = (why: string): Problem =>
  new Problem('CONFIG_ERROR', `${why.charAt(0).toUpperCase()}${why.slice(1)}.`, { field: 'SEGNO_PROVIDERS' })

/** Without a path inside the package. */
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

/** The file that `import` would load from the folder Segno was started in, or else from Segno itself. */
function fileOf(name: string): string | undefined {
  const folder = pathToFileURL(join(process.cwd(), 'segno.config.ts')).href
  for (const from of [folder, import.meta.url]) {
    const found = descriptionOf(packageOf(name), from)
    const entry = found && entryOf(JSON.parse(readFileSync(found, 'utf8')), `.${name.slice(packageOf(name).length)}`)
    if (found !== undefined && entry !== undefined) return join(dirname(found), entry)
  }
  return undefined
}

function descriptionOf(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, from)
  } catch {
    return undefined
  }
}

/** `import` with a folder to start from is not in Node, so the usual conditions are read here. */
function entryOf(description: unknown, path: string): string | undefined {
  if (!isObject(description)) return undefined
  const { exports, main } = description
  if (exports === undefined) return path === '.' ? (typeof main === 'string' ? main : 'index.js') : path
  const paths =
    isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.')) ? exports : { '.': exports }
  return targetOf(paths[path])
}

function targetOf(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (!isObject(target)) return undefined
  for (const [condition, inner] of Object.entries(target)) {
    const found = ['node', 'import', 'default'].includes(condition) ? targetOf(inner) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** `createMistral` of @ai-sdk/mistral; where none has the package's name, the first. */
function factoryIn(exported: Record<string, unknown>, name: string): ((options: object) => unknown) | undefined {
  const all = Object.keys(exported).filter((key) => /^create[A-Z]/.test(key) && typeof exported[key] === 'function')
  const wanted = plain(`create${name.split('/').at(-1)}`)
  const found = all.find((key) => plain(key) === wanted) ?? all[0]
  return found === undefined ? undefined : (exported[found] as (options: object) => unknown)
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
