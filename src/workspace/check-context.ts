import { refuseUnknownFields } from '../contract/known-fields.ts'
import type { JsonObject } from '../contract/message.ts'
import { invalidField } from '../contract/problem.ts'
import type { ContextCall, PromptSettings } from '../contract/workspace.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { isDeeper } from '../lib/nesting.ts'
import { isIntegerFrom, isObject } from '../lib/type-guards.ts'

export const MOST_FILES = 20
export const PATH_CHARS = 200
export const MOST_CALLS = 10
export const NAME_CHARS = 100
const ARGS_CHARS = 4000
/** A week; a text that may be older than that is better written into the instructions. */
const MOST_EVERY_MS = 604_800_000

/** Paths in the workspace's folder; whether there is such a file shows when it is read. */
export function checkFiles(files: readonly string[]): void {
  if (!isList(files, MOST_FILES)) throw invalidField('files', `must be a list of at most ${MOST_FILES} paths`)
  files.forEach((path: unknown, at) => checkPath(path, `files.${at}`))
  const twice = files.find((path, at) => files.indexOf(path) !== at)
  if (twice !== undefined) throw invalidField('files', `has ${JSON.stringify(twice)} twice`)
}

function checkPath(path: unknown, field: string): void {
  if (!isText(path, PATH_CHARS)) throw invalidField(field, `must be a path of 1 to ${PATH_CHARS} characters`)
  const steps = path.split(/[\\/]/)
  if (steps[0] === '' || /^[a-z]:/i.test(path) || path.includes('\0') || steps.includes('..'))
    throw invalidField(field, 'must be a path in the folder of the workspace, such as notes/today.md')
}

export function checkDynamicContext(
  calls: readonly ContextCall[],
  known: { readonly mcpServers: readonly string[]; readonly leastEveryMs: number },
): void {
  if (!isList(calls, MOST_CALLS)) throw invalidField('dynamicContext', `must be a list of at most ${MOST_CALLS} calls`)
  calls.forEach((call: ContextCall, at) => checkCall(call, `dynamicContext.${at}`, known))
  const names = calls.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw invalidField('dynamicContext', `has two calls named ${JSON.stringify(twice)}`)
}

function checkCall(call: ContextCall, at: string, known: Parameters<typeof checkDynamicContext>[1]): void {
  refuseUnknownFields(call, ['name', 'server', 'tool', 'args', 'everyMs'], at, `${at}.`)
  const { name, server, tool, args, everyMs } = call
  if (!isText(name, NAME_CHARS)) throw invalidField(`${at}.name`, `must have 1 to ${NAME_CHARS} characters`)
  if (!known.mcpServers.includes(server))
    throw invalidField(`${at}.server`, `must be a name of SEGNO_MCP: ${known.mcpServers.join(', ') || 'none'}`)
  if (!isText(tool, PATH_CHARS)) throw invalidField(`${at}.tool`, `must have 1 to ${PATH_CHARS} characters`)
  if (!isObject(args) || isDeeper(args) || canonicalJson(args satisfies JsonObject).length > ARGS_CHARS)
    throw invalidField(`${at}.args`, `must be an object of at most ${ARGS_CHARS} characters as JSON`)
  const { leastEveryMs } = known
  if (!isIntegerFrom(everyMs, leastEveryMs) || everyMs > MOST_EVERY_MS)
    throw invalidField(
      `${at}.everyMs`,
      `must be a whole number from ${leastEveryMs} (limit CONTEXT_EVERY_MS) to ${MOST_EVERY_MS}`,
    )
}

export function checkPromptSettings(settings: Partial<PromptSettings>): void {
  refuseUnknownFields(settings, ['metadata', 'systemInfo', 'date'], 'promptSettings', 'promptSettings.')
  for (const [name, value] of Object.entries(settings))
    if (typeof value !== 'boolean') throw invalidField(`promptSettings.${name}`, 'must be true or false')
}

const isList = (value: unknown, most: number): boolean => Array.isArray(value) && value.length <= most

const isText = (text: unknown, most: number): text is string =>
  typeof text === 'string' && text.trim() !== '' && text.length <= most && text.isWellFormed()
