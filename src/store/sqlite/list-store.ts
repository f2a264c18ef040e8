import type { ListStore } from '../lists.ts'
import { approvalsIn } from './approvals.ts'
import type { Base } from './base.ts'
import { roundListIn } from './round-list.ts'
import { endedBy, roundsIn } from './rounds.ts'
import { unknownCallsIn } from './unknown-calls.ts'
import { usageIn } from './usage.ts'

/** What a fork appends to close a round is a few events for each call that was open: more than any turn can ask for. */
const CLOSING_EVENTS = 100_000

export function listStore({ db, lineage, sessions, events, reading, living }: Base): ListStore {
  const rounds = roundsIn(db, lineage)
  const roundList = roundListIn(db)
  const usage = usageIn(db)
  const approvals = approvalsIn(db)
  const unknownCalls = unknownCallsIn(db)
  return {
    session: (id) => reading(() => sessions.get(id)),
    sessionByAlias: (owner, alias) => reading(() => sessions.byAlias(owner, alias)),
    sessions: (query) => reading(() => sessions.list(query)),
    family: (sessionId) => reading(() => sessions.family(sessionId)),
    round: (requestId) => reading(() => rounds.get(requestId)),
    roundIn(sessionId, requestId) {
      return reading(() => {
        const row = living(sessionId)
        const found = row && rounds.in(row.num, requestId)
        if (!found) return undefined
        const round = { ...found.round, sessionId }
        if (found.openAt === undefined) return round
        const closing = events(sessionId, row.num, { after: found.openAt, limit: CLOSING_EVENTS }).events
        return endedBy(round, closing)
      })
    },
    roundAt(sessionId, seq) {
      return reading(() => {
        const row = living(sessionId)
        return row && rounds.at(row.num, seq)
      })
    },
    rounds({ sessionId, states, limit = 100 }) {
      return reading(() => {
        if (sessionId === undefined) return rounds.list(undefined, states, limit)
        const row = sessions.row(sessionId)
        return row ? rounds.list(row.num, states, limit) : []
      })
    },
    roundPage(query) {
      return reading(() => {
        if (query.sessionId === undefined) return roundList(query, undefined)
        const row = sessions.row(query.sessionId)
        return row ? roundList(query, row.num) : { items: [], next: null }
      })
    },
    dueRounds: (now) => reading(() => rounds.due(now)),
    usage: (query) => reading(() => usage(query)),
    approval: (id) => reading(() => approvals.get(id)),
    approvals: (query) => reading(() => approvals.list(query)),
    unknownCall: (callId) => reading(() => unknownCalls.get(callId)),
    unknownCalls: (query) => reading(() => unknownCalls.list(query)),
  }
}
