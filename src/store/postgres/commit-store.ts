import { setTimeout as delay } from 'node:timers/promises'
import { isStoreAway } from '../../contract/problem.ts'
import { Listeners } from '../../lib/listeners.ts'
import { cleanText } from '../clean-text.ts'
import type { Repeated } from '../inbox.ts'
import type { Committed, Conflict, LogStore } from '../log.ts'
import type { OverBudget } from '../money.ts'
import type { PostgresOptions } from './base.ts'
import { putBlobs } from './blobs.ts'
import { claimView, type ClaimRow } from './claims.ts'
import { begin, openDatabase, type Connection } from './database.ts'
import { groupCommit } from './group-commit.ts'
import { KNOWN_TO_ALL } from './nodes.ts'
import type { Owned } from './owned.ts'
import { putParts } from './parts.ts'
import { asProblem, isInDoubt, isRetryable } from './postgres-problem.ts'
import { sentChange, type SentChange } from './sent-change.ts'

type Answer = Committed | Conflict | Repeated | OverBudget

/** Retries after conflicts with others wait a little longer each time, with some randomness. */
const MOST_TRIES = 12
const MOST_WAIT_MS = 2000

/** Connections for commits alone, so that reads never delay them. */
export const COMMIT_CONNECTIONS = 4

/**
 * Commits changes in groups; a change without an answer is sent again under the same id until the server says whether
 * it is stored, and only what is surely not stored rejects.
 */
export function commitStore(
  options: PostgresOptions,
  owned: Pick<Owned, 'created'>,
): Pick<LogStore, 'commit' | 'subscribe'> & { close(): Promise<void> } {
  const lanes = options.commitConnections ?? COMMIT_CONNECTIONS
  const database = openDatabase({ ...options, connections: lanes })
  const listeners = new Listeners<Parameters<Parameters<LogStore['subscribe']>[0]>>()
  let closing = false
  const group = groupCommit<SentChange, Answer>(lanes, send)

  async function send(changes: readonly SentChange[], onStuck: (why: unknown) => void): Promise<Answer[]> {
    let isDoubtful = false
    for (let tries = 1; ; tries++) {
      let connection: Connection | undefined
      try {
        connection = await database.connect()
        const answers = await call(connection, changes)
        connection.release()
        return changes.map((change, i) => answerOf(change, answers[i] ?? ''))
      } catch (error) {
        const doubt = connection !== undefined && isInDoubt(error)
        connection?.release(doubt ? (error as Error) : undefined)
        isDoubtful ||= doubt
        const isUnsent = connection === undefined
        const problem = asProblem(error)
        // A later try that fails says nothing about whether an earlier one was stored.
        const goesOn = isRetryable(error)
          ? tries < MOST_TRIES || isDoubtful
          : doubt || (isDoubtful && isStoreAway(problem))
        if (!goesOn || (closing && !doubt && !isRetryable(error))) throw problem
        if (isUnsent) onStuck(problem)
        await delay(Math.min(2 ** tries * 5, MOST_WAIT_MS) * (0.5 + Math.random()))
      }
    }
  }

  return {
    async commit(change) {
      const answer = await group.run(sentChange(change, options.node.id(), options.knownSince))
      if (answer.kind !== 'committed') return answer
      const { sessionId, create } = change
      if (create) owned.created(sessionId)
      if (answer.events.length > 0) listeners.notify(sessionId, answer.events)
      return answer
    },
    subscribe: (listener) => listeners.subscribe(listener),
    async close() {
      closing = true
      await group.close()
      await database.close()
    },
  }
}

const CALL = 'SELECT commit_changes($1, $2) AS answers'
const CALL_TELLING = 'SELECT commit_telling($1, $2, $3) AS answers'

async function call({ query }: Connection, changes: readonly SentChange[]): Promise<readonly string[]> {
  const values = [changes.map(({ row }) => rowText(row)), changes.map(({ body }) => body)]
  const tells = changes.some(({ outbox }) => outbox !== undefined)
  const ask = async (): Promise<readonly string[]> => {
    const asked = tells
      ? query(CALL_TELLING, [...values, changes.map(({ outbox = null }) => outbox)])
      : query(CALL, values)
    const [row] = (await asked) as { answers: readonly string[] }[]
    return row?.answers ?? []
  }
  const [parts, blobs] = [changes.flatMap((change) => change.parts), changes.flatMap((change) => change.blobs)]
  await checkKnown(query, Math.max(...changes.map(({ needs }) => needs)))
  if (!changes.some(({ isWhole }) => isWhole)) {
    // A part whose event is refused after all only stays until its session is purged.
    await putParts(query, parts)
    return ask()
  }
  await query(begin())
  try {
    // In the order in which a purge locks them.
    await putParts(query, parts)
    await putBlobs(query, blobs)
    const answers = await ask()
    await query(answers.every((answer) => answer === 'committed') ? 'COMMIT' : 'ROLLBACK')
    return answers
  } catch (error) {
    if (!isInDoubt(error)) await query('ROLLBACK')
    throw error
  }
}

/** Ids may come from a model and contain characters that no column can hold. */
function rowText(row: SentChange['row']): string {
  const text = JSON.stringify(row)
  if (!UNSTORABLE.test(text)) return text
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'string' ? cleanText(value) : value))
}

const UNSTORABLE = /\\u(?:0000|d[89a-f])/

/** Refuses events that a living node does not know; callers ask `NodeStore.nodes` first. */
async function checkKnown(query: Connection['query'], needs: number): Promise<void> {
  if (needs === 0) return
  const [row] = await query<{ known: number | null }>(KNOWN_TO_ALL)
  if (row?.known != null && row.known < needs)
    throw new Error(`an event of version ${needs} while a node knows only version ${row.known}`)
}

/** An answer is a word, followed by JSON for some. */
function answerOf({ events }: SentChange, answer: string): Answer {
  if (answer === 'committed') return { kind: 'committed', events }
  const space = answer.indexOf(' ')
  if (space < 0) return { kind: 'conflict', reason: answer as Conflict['reason'] }
  const detail: unknown = JSON.parse(answer.slice(space + 1))
  if (answer.startsWith('repeated')) return { kind: 'repeated', claim: claimView(detail as ClaimRow) }
  const { tool, ...over } = detail as Omit<OverBudget, 'kind' | 'tool'> & { tool: string | null }
  return { kind: 'over', ...over, ...(tool !== null && { tool }) }
}
