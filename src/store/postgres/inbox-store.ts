import type { Input, InputBody } from '../../contract/input.ts'
import { Problem } from '../../contract/problem.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { hashesIn } from '../hashes-of.ts'
import type { InboxStore, InputOptions } from '../inbox.ts'
import type { Blob } from '../log.ts'
import type { Base } from './base.ts'
import { putBlobs } from './blobs.ts'
import { claimView, findClaim, forgetClaims, type ClaimRow } from './claims.ts'
import type { Query } from './database.ts'
import { inputColumns } from './input-columns.ts'
import { retry } from './retry.ts'

interface Row {
  id: string
  session_id: string
  key: string
  at: number
  body: string
  seen: number | null
}

interface Put {
  readonly answer: 'stored' | 'repeated' | 'waits' | 'busy' | 'full' | 'none'
  readonly place: number | null
  readonly who: string | null
  readonly detail: unknown
}

const COLUMNS = 'id, session_id, key, at, body, seen'
const UNREAD = `
  SELECT i.session_id, max(i.n) AS n FROM inputs i JOIN heads h ON h.session_id = i.session_id
  WHERE h.owner = $1 AND i.seen IS NULL GROUP BY i.session_id ORDER BY i.session_id`

/** Inputs are ordered by their numbers, not by their ids, because a clock can be set back. */
export function inboxStore({ query, transaction, node, owned }: Base): InboxStore {
  // One after the other per session, because two connections could swap their order.
  const inTurn = oneAtATime<Awaited<ReturnType<InboxStore['putInput']>>>()

  async function put(inside: Query, input: Input, { claim, most, ifIdle = false }: InputOptions): Promise<Put> {
    const { id, sessionId, key, at, body } = input
    const asked = JSON.stringify(inputColumns(body))
    const claimed = claim ? [claim.key, claim.hash, JSON.stringify(claim.result)] : [null, null, null]
    const [row] = await inside<Put>('SELECT * FROM put_input($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)', [
      sessionId,
      id,
      key,
      at,
      JSON.stringify(body),
      hashesIn(body),
      asked,
      ...claimed,
      most ?? null,
      ifIdle,
    ])
    return row as Put
  }

  /** Stores the input and its files, or neither. */
  async function putWith(files: readonly Blob[], input: Input, more: InputOptions): Promise<Put> {
    let refused: Put | undefined
    const whole = transaction(async (inside) => {
      await putBlobs(inside, files)
      const result = await put(inside, input, more)
      if (result.answer === 'stored') return result
      refused = result
      throw new Refused()
    })
    return whole.catch((error: unknown) => {
      if (refused && error instanceof Refused) return refused
      throw error
    })
  }

  async function putOne(input: Input, more: InputOptions): ReturnType<InboxStore['putInput']> {
    const files = more.blobs ?? []
    const { answer, place, who, detail } =
      files.length === 0 ? await retry(() => put(query, input, more)) : await retry(() => putWith(files, input, more))
    switch (answer) {
      case 'stored':
        if (place !== null && who === node.id()) owned.noteStored(input.sessionId, place)
        return answer
      case 'busy':
      case 'full':
        return answer
      case 'waits':
        return { kind: 'waits', id: (detail as { id: string }).id }
      case 'repeated':
        return { kind: 'repeated', claim: claimView(detail as ClaimRow) }
      case 'none':
        throw new Problem('NOT_FOUND', `There is no session ${input.sessionId}.`)
    }
  }

  return {
    putInput: (input, more = {}) => inTurn(input.sessionId, () => putOne(input, more)),
    async pendingInputs(sessionId) {
      return (await query<Row>(`SELECT ${COLUMNS} FROM inputs WHERE session_id = $1 ORDER BY n`, [sessionId])).map(
        inputOf,
      )
    },
    unread: async () => owned.withNewInputs(await query<{ session_id: string; n: number }>(UNREAD, [node.id()])),
    async queuedMessage(requestId) {
      const sql = `SELECT ${COLUMNS} FROM inputs WHERE kind = 'message' AND request_id = $1`
      return (await query<Row>(sql, [requestId])).map(inputOf)[0]
    },
    findClaim: (key) => findClaim(query, key),
    forgetClaims: (before, most) => forgetClaims(query, before, most),
  }
}

class Refused extends Error {}

function inputOf({ id, session_id: sessionId, key, at, body, seen }: Row): Input {
  return { id, sessionId, key, at, ...(seen !== null && { seen }), body: JSON.parse(body) as InputBody }
}
