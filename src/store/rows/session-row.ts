import { LATER_KINDS, type LaterKind } from '../../contract/event.ts'
import type { ModelParams } from '../../contract/model-params.ts'
import type { Protocol } from '../../contract/outcome.ts'
import type { RoundState, SessionView } from '../../contract/views.ts'

/** A listed session with its last started round and its first queued message. */
export interface SessionRow extends Omit<
  SessionView,
  'alias' | 'model' | 'protocol' | keyof ModelParams | 'parent' | 'seq' | 'archived' | 'open' | 'owner'
> {
  num: number
  alias: string | null
  model: string | null
  protocol: Protocol | null
  params: string | null
  parentId: string | null
  parentSeq: number | null
  archived: number
  owner: string
  tenant: string
  roundId: string | null
  roundState: RoundState | null
  waitingFor: string | null
  queuedId: string | null
}

/** `seq`: of its last event, own or inherited. */
export function sessionView(row: SessionRow, seq: number): SessionView {
  return {
    id: row.id,
    ...(row.alias !== null && { alias: row.alias }),
    workspaceId: row.workspaceId,
    title: row.title,
    ...(row.model !== null && { model: row.model }),
    ...(row.protocol !== null && { protocol: row.protocol }),
    ...(row.params !== null && (JSON.parse(row.params) as ModelParams)),
    ...(row.parentId !== null && { parent: { sessionId: row.parentId, seq: row.parentSeq ?? 0 } }),
    seq,
    archived: row.archived === 1,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    usedAt: row.usedAt,
    ...openOf(row),
    owner: { id: row.owner, tenant: row.tenant },
  }
}

function openOf({ roundId, roundState, waitingFor, queuedId }: SessionRow): Pick<SessionView, 'open'> {
  if (roundId !== null && roundState !== null && roundState !== 'ended')
    return {
      open: {
        requestId: roundId,
        state: roundState,
        ...(isLater(waitingFor) && { waitingFor }),
      },
    }
  return queuedId === null ? {} : { open: { requestId: queuedId, state: 'queued' } }
}

const isLater = (what: string | null): what is LaterKind => LATER_KINDS.includes(what as LaterKind)
