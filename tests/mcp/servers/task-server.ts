/**
 * A server whose tool `work` can only be called as a task. What becomes of a task is up to the test: each is a file in
 * a folder, which this server reads whenever it is asked. Over stdio the arguments are the folder and ways to behave,
 * separated by commas.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Message = { id?: number | string; method?: string; params?: Record<string, unknown>; result?: unknown }
export type Way = 'forgetful' | 'no-tasks' | 'odd-name' | 'at-once' | 'short-lived' | 'no-result' | 'die-after-effect'

/** A task as its file says. */
export interface Kept {
  readonly task: { readonly taskId: string; readonly status: string; readonly [field: string]: unknown }
  readonly pid: number
  readonly params: Record<string, unknown>
  /** an error of JSON-RPC, or what the tool returned */
  readonly ends?: { readonly error: unknown } | { readonly result: unknown }
}

const fileOf = (folder: string, id: string): string => join(folder, `${id}.json`)

export function readTasks(folder: string): Kept[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  return files.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Kept)
}

/** Under another name first, because somebody may be reading it. */
function write(folder: string, kept: Kept): void {
  const file = fileOf(folder, kept.task.taskId)
  writeFileSync(`${file}.new`, JSON.stringify(kept))
  renameSync(`${file}.new`, file)
}

/** Says how a task ends, or what state it has. */
export function change(folder: string, kept: Kept, status: string, ends?: Kept['ends'], statusMessage?: string): void {
  write(folder, {
    ...kept,
    task: { ...kept.task, status, ...(statusMessage !== undefined && { statusMessage }) },
    ...(ends && { ends }),
  })
}

/** Which call it is, if the tool is keyed. */
const keyOf = (params: Kept['params']): unknown =>
  (params['_meta'] as Record<string, unknown> | undefined)?.['segno/idempotencyKey']

/** The names of all requests about tasks, in order. */
export const asked = (folder: string): string[] => {
  const log = join(folder, 'asked.log')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}

export function taskServer(folder: string, ways: readonly Way[] = []) {
  const does = new Set(ways)
  mkdirSync(folder, { recursive: true })
  let begun = 0

  function begin(params: Record<string, unknown>): Kept {
    const key = keyOf(params)
    const before = key === undefined ? undefined : readTasks(folder).find((kept) => keyOf(kept.params) === key)
    if (before) return before
    begun += 1
    const taskId = `task-${process.pid}-${begun}`
    const at = '2026-01-01T00:00:00Z'
    const ttl = does.has('short-lived') ? 1500 : (params['task'] as { ttl?: number }).ttl
    const task = { taskId, status: 'working', createdAt: at, lastUpdatedAt: at, ttl, pollInterval: 1 }
    const kept = { task, pid: process.pid, params }
    write(folder, kept)
    if (does.has('die-after-effect')) process.exit(9)
    return kept
  }

  function find(params: Record<string, unknown> | undefined): Kept | undefined {
    const file = fileOf(folder, String(params?.['taskId']))
    if (!existsSync(file)) return undefined
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept
    return does.has('forgetful') && kept.pid !== process.pid ? undefined : kept
  }

  function call(params: Record<string, unknown>): object {
    if (params['task'] === undefined) return { error: { code: -32_601, message: 'only as a task' } }
    if (does.has('at-once')) return { result: { content: [{ type: 'text', text: 'done at once' }] } }
    const { task } = begin(params)
    return { result: { task: does.has('odd-name') ? { ...task, taskId: 'a\u0000b' } : task } }
  }

  function about(method: string, params: Record<string, unknown> | undefined): object {
    appendFileSync(join(folder, 'asked.log'), `${method}\n`)
    const kept = find(params)
    if (!kept) return { error: { code: -32_602, message: 'Failed to retrieve task: Task not found' } }
    if (method === 'tasks/get') return { result: kept.task }
    if (method === 'tasks/cancel') {
      change(folder, kept, 'cancelled')
      return { result: { ...kept.task, status: 'cancelled' } }
    }
    if (does.has('no-result')) return { error: { code: -32_603, message: 'lost' } }
    return kept.ends ?? { error: { code: -32_603, message: 'not yet' } }
  }

  /** The answer to a request, undefined for what needs none. */
  return function answer({ id, method, params }: Message): object | undefined {
    if (id === undefined || method === undefined) return undefined
    const reply = (outcome: object): object => ({ jsonrpc: '2.0', id, ...outcome })
    if (method === 'initialize') {
      const tasks = does.has('no-tasks') ? {} : { tasks: { cancel: {}, requests: { tools: { call: {} } } } }
      const serverInfo = { name: 'tasks', version: '1' }
      return reply({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, ...tasks }, serverInfo } })
    }
    if (method === 'ping') return reply({ result: {} })
    if (method === 'tools/list') {
      const work = { name: 'work', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }
      return reply({ result: { tools: [work] } })
    }
    if (method === 'tools/call') return reply(call(params ?? {}))
    if (method.startsWith('tasks/')) return reply(about(method, params))
    return reply({ error: { code: -32_601, message: 'Method not found' } })
  }
}

if (import.meta.main) {
  const [folder = '', ways = ''] = process.argv.slice(2)
  const answer = taskServer(folder, ways.split(',') as Way[])
  writeFileSync(join(folder, 'pid'), String(process.pid))
  createInterface({ input: process.stdin }).on('line', (line) => {
    const said = answer(JSON.parse(line) as Message)
    if (said) process.stdout.write(`${JSON.stringify(said)}\n`)
  })
}
