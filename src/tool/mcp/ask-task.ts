import type { LaterAnswer } from '../../contract/tool.ts'
import { visible } from '../../lib/visible.ts'
import { afterTrouble } from './after-trouble.ts'
import { AS_IT_CAME, type Connection } from './connection.ts'
import type { Instance } from './instance.ts'
import { readResult } from './read-result.ts'
import { askAfter, readTask, type Task } from './tasks.ts'
import { fateOf, NotSent, plainReason } from './trouble.ts'

/** How long a server may take for one answer about a task. */
const ANSWER_MS = 20_000
/** How often a result may fail to arrive, or a question stay open, before the call ends without it. */
const MOST_FAULTS = 3
const SAID_CHARS = 500

/** `working`: ask again after that time; `over`: nobody waits for it, and the server was told */
export type TaskNews =
  | { readonly kind: 'working'; readonly afterMs: number }
  | { readonly kind: 'ended'; readonly answer: LaterAnswer }
  | { readonly kind: 'over' }

export interface TaskQuestion {
  readonly task: string
  /** how long the call has waited */
  readonly tookMs: number
  /** whether the call still waits; if not, the task is cancelled */
  readonly isWanted: boolean
  readonly signal: AbortSignal
}

interface Asked extends TaskQuestion {
  readonly server: Instance
  readonly connection: Connection
}

/** Asks a server about a task; rejects if it cannot be asked now. */
export async function askTask(server: Instance, question: TaskQuestion): Promise<TaskNews> {
  server.tasks.keep(question.task)
  const connection = await server.ready(question.signal)
  const news = await newsOf({ ...question, server, connection }).catch((error: unknown) => {
    afterTrouble(error, server, connection, question.signal)
    throw error
  })
  if (news.kind === 'working') return news
  server.tasks.drop(question.task)
  return !question.isWanted && isInDoubt(news) ? { kind: 'over' } : news
}

async function newsOf(asked: Asked): Promise<TaskNews> {
  const { server, connection, tookMs, isWanted } = asked
  if (!connection.takesTasks) return gone(server, 'it does not offer tasks any more')
  let task: Task | undefined
  try {
    task = readTask(await request(asked, 'tasks/get'))
  } catch (error) {
    const { ProtocolError, INVALID_PARAMS, METHOD_NOT_FOUND } = connection.sdk
    if (ProtocolError.isInstance(error) && [INVALID_PARAMS, METHOD_NOT_FOUND].includes(error.code))
      return gone(server, 'it does not know the task any more')
    throw error
  }
  if (task === undefined) throw new Error('the answer is no task')
  const { status, pollMs } = task
  if (status === 'cancelled') return inDoubt(`The MCP server "${server.name}" cancelled the task${because(task)}.`)
  if (status === 'completed' || status === 'failed') return resultOf(asked, task)
  if (!isWanted) return cancel(asked)
  return status === 'input_required' ? declined(asked, pollMs) : { kind: 'working', afterMs: askAfter(pollMs, tookMs) }
}

/** Nobody can be asked any more what the call meant, so whatever the server asks with its result is declined. */
async function declined(asked: Asked, pollMs: unknown): Promise<TaskNews> {
  const { server, connection, task, tookMs } = asked
  if (server.tasks.fault(task) <= MOST_FAULTS) {
    try {
      return { kind: 'ended', answer: answerOf(await request(asked, 'tasks/result'), asked) }
    } catch (error) {
      if (isAnswer(error, connection)) return { kind: 'ended', answer: { error } }
      return { kind: 'working', afterMs: askAfter(pollMs, tookMs) }
    }
  }
  await cancel(asked)
  return inDoubt(
    `The task of the MCP server "${server.name}" wants to ask something and was cancelled: nobody can be asked while a call waits.`,
  )
}

async function resultOf(asked: Asked, ended: Task): Promise<TaskNews> {
  const { server, connection, task } = asked
  let result: unknown
  try {
    result = await request(asked, 'tasks/result')
  } catch (error) {
    const isAnswered = isAnswer(error, connection)
    if (!isAnswered && server.tasks.fault(task) <= MOST_FAULTS) throw error
    if (ended.status === 'failed')
      return { kind: 'ended', answer: { error: isAnswered ? error : failed(server, ended) } }
    const says = `The MCP server "${server.name}" completed the task, but did not give its result: ${plainReason(error, connection.sdk)}.`
    return { kind: 'ended', answer: { error: Object.assign(new Error(says), { effect: 'done' }) } }
  }
  return { kind: 'ended', answer: answerOf(result, asked) }
}

function answerOf(result: unknown, { server }: Asked): LaterAnswer {
  try {
    // What it would have returned, so it is read like any other.
    return { output: readResult(result) }
  } catch (error) {
    return { error: error ?? new Error(`The MCP server "${server.name}" failed.`) }
  }
}

/** It may not be able to stop, and then its result comes all the same, which nobody waits for. */
async function cancel(asked: Asked): Promise<TaskNews> {
  try {
    await request(asked, 'tasks/cancel')
  } catch (error) {
    if (!isAnswer(error, asked.connection)) throw error
  }
  return { kind: 'over' }
}

/** Whether the server itself said so; a refusal of HTTP, such as 429, says nothing of the task. */
const isAnswer = (error: unknown, { sdk }: Connection): boolean =>
  fateOf(error, sdk) === 'answered' && !sdk.SdkHttpError.isInstance(error)

async function request({ connection, task, signal }: Asked, method: string): Promise<unknown> {
  const patience = { signal, timeout: ANSWER_MS }
  return connection.client.request({ method, params: { taskId: task } }, AS_IT_CAME, patience)
}

const failed = (server: Instance, task: Task): Error =>
  new Error(`The task of the MCP server "${server.name}" failed${because(task)}.`)

const because = ({ message }: Task): string =>
  message === undefined ? '' : `: ${visible(message.slice(0, SAID_CHARS).toWellFormed())}`

const gone = (server: Instance, why: string): TaskNews =>
  inDoubt(`The MCP server "${server.name}" cannot say what became of the task: ${why}.`)

/** Ends a call of which nobody knows whether it was carried out. */
export const inDoubt = (says: string): TaskNews => ({
  kind: 'ended',
  answer: { error: Object.assign(new Error(says), { effect: 'unknown' }) },
})

const isInDoubt = (news: TaskNews): boolean =>
  news.kind === 'ended' && 'error' in news.answer && (news.answer.error as { effect?: unknown }).effect === 'unknown'

/** For a server that cannot be asked now. */
export const notNow = (server: string): Error => new NotSent(`the MCP server "${server}" cannot be asked now`)
