import type { JsonObject } from '../../contract/message.ts'
import { answersAsTask, type AnswersLater } from '../../contract/tool.ts'
import { isObject } from '../../lib/type-guards.ts'
import type { Instance } from './instance.ts'

/** A server says how often it wants to be asked, within these. */
const ASK_AT_LEAST_MS = 1000
const ASK_AT_MOST_MS = 60_000
/** Of the time that went by, so that long tasks are asked about less often. */
const SHARE_OF_TIME = 0.1
/** Shorter than what a call can name its work with, together with the server's name. */
const ID = /^[\x20-\x7e]{1,400}$/

/** A task as a server tells of it. */
export interface Task {
  readonly taskId: string
  readonly status: string
  readonly message: string | undefined
  readonly pollMs: unknown
  /** how long the server keeps it from its beginning on; undefined if it does not say */
  readonly ttlMs: number | undefined
}

/** Whether a tool can only be called as a task. */
export const isTaskOnly = ({ execution }: JsonObject): boolean =>
  isObject(execution) && execution['taskSupport'] === 'required'

/** Why a tool that needs tasks cannot be called. */
export function taskFault(
  wire: JsonObject,
  { takesTasks, isModern }: { readonly takesTasks: boolean; readonly isModern: boolean },
): string | undefined {
  if (takesTasks || !isTaskOnly(wire)) return undefined
  const why = isModern
    ? 'which Segno cannot do in the protocol its server speaks'
    : 'and its server does not offer tasks'
  return `it can only be called as a task, ${why}`
}

/** Undefined for what is no task. */
export function readTask(value: unknown): Task | undefined {
  if (!isObject(value)) return undefined
  const { taskId, status, statusMessage: message, pollInterval: pollMs, ttl } = value
  if (typeof taskId !== 'string' || typeof status !== 'string') return undefined
  const ttlMs = typeof ttl === 'number' && ttl > 0 ? ttl : undefined
  return { taskId, status, message: typeof message === 'string' ? message : undefined, pollMs, ttlMs }
}

/** The answer of a call that began a task; undefined if it has its result already. */
export function taskBegun(server: Instance, result: unknown): AnswersLater | undefined {
  if (!isObject(result) || !isObject(result['task'])) return undefined
  const task = readTask(result['task'])
  if (task === undefined || !ID.test(task.taskId)) {
    const says = `The MCP server "${server.name}" began a task, but gives it no name that can be asked for.`
    throw Object.assign(new Error(says), { effect: 'unknown' })
  }
  server.tasks.keep(task.taskId)
  const { node } = server.tasks
  const afterMs = askAfter(task.pollMs)
  return answersAsTask({ server: server.name, task: task.taskId, node, afterMs }, task.ttlMs)
}

/** When to ask again about a task that has taken `tookMs` so far. */
export function askAfter(pollMs: unknown, tookMs = 0): number {
  const wanted = typeof pollMs === 'number' && pollMs > 0 ? pollMs : ASK_AT_LEAST_MS
  return Math.ceil(Math.min(Math.max(wanted, tookMs * SHARE_OF_TIME, ASK_AT_LEAST_MS), ASK_AT_MOST_MS))
}
