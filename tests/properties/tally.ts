import type { EventType, StoredEvent } from '../../src/contract/event.ts'
import type { FinishReason, Outcome, RefusalCode } from '../../src/contract/outcome.ts'

/** Everything the product can write. */
const EVENT_TYPES: Record<EventType, true> = {
  'session.created': true,
  'session.changed': true,
  'session.forked': true,
  'session.archived': true,
  'session.deleted': true,
  'round.started': true,
  'round.asked': true,
  'round.waiting': true,
  'round.paused': true,
  'round.resumed': true,
  'round.ended': true,
  'phase.started': true,
  'phase.ended': true,
  'turn.started': true,
  'turn.retried': true,
  'turn.ended': true,
  'message.user': true,
  'message.assistant': true,
  'tool.call': true,
  'approval.requested': true,
  'approval.decided': true,
  'tool.started': true,
  'tool.submitted': true,
  'tool.result': true,
  'tool.reconciled': true,
  notice: true,
  'model.asked': true,
  'model.answered': true,
  'compact.summary': true,
  'context.cleared': true,
  'message.deleted': true,
}
const OUTCOMES: Record<Outcome, true> = {
  ok: true,
  error: true,
  refused: true,
  denied: true,
  cancelled: true,
  timeout: true,
  unknown: true,
}
/** Nobody in these histories has a budget or a policy: what those refuse cannot come. */
const CODES: Record<
  | Exclude<RefusalCode, 'BUDGET_EXCEEDED' | 'COST_ESTIMATE_FAILED' | 'QUOTA' | 'FOLDER' | 'POLICY'>
  | 'EXPIRED'
  | 'UNATTENDED',
  true
> = {
  INVALID: true,
  UNKNOWN_TOOL: true,
  DUPLICATE: true,
  PERMISSION: true,
  LIMIT: true,
  MODE: true,
  EXPIRED: true,
  UNATTENDED: true,
}
const FINISHES: Record<Exclude<FinishReason, 'budget'>, true> = {
  complete: true,
  max_tokens: true,
  iteration_limit: true,
  tool_limit: true,
  timeout: true,
  cancelled: true,
  error: true,
}
const EXPECTED = [
  ...Object.keys(EVENT_TYPES),
  ...Object.keys(OUTCOMES).map((outcome) => `outcome ${outcome}`),
  ...Object.keys(CODES).map((code) => `code ${code}`),
  ...Object.keys(FINISHES).map((reason) => `finish ${reason}`),
  ...['cancel', 'pause', 'interrupt'].map((what) => `asked ${what}`),
  ...['takeover', 'resume', 'decided'].map((reason) => `resumed ${reason}`),
  ...['approve', 'deny', 'expired', 'stale', 'remembered'].map((decision) => `decision ${decision}`),
  ...['pure', 'keyed', 'verifiable', 'unsafe'].map((effect) => `started ${effect}`),
  ...['executed', 'not_executed', 'allowed', 'answered', 'closed'].map((reason) => `phase ended ${reason}`),
  'failed in doubt',
  'gave up',
  'ran again',
  'looked up',
  'fork of an open round',
  'interrupted text',
  'triggered, results as tool',
]

/** How often everything occurred, over a whole run. */
export class Tally {
  readonly #counts = new Map<string, number>(EXPECTED.map((name) => [name, 0]))
  #histories = 0
  #long = 0
  #prefixes = 0

  history(log: readonly StoredEvent[]): void {
    this.#histories += 1
    if (log.length >= 30) this.#long += 1
  }

  prefixes(count: number): void {
    this.#prefixes += count
  }

  count(name: string, more = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + more)
  }

  log(log: readonly StoredEvent[]): void {
    for (const event of log) for (const name of namesOf(event)) this.count(name)
  }

  /** What never occurred and should have. */
  missing(): string[] {
    return EXPECTED.filter((name) => this.#counts.get(name) === 0)
  }

  get longShare(): number {
    return this.#long / this.#histories
  }

  toString(): string {
    const rows = [...this.#counts].map(([name, count]) => `${String(count).padStart(9)}  ${name}`)
    const half = Math.ceil(rows.length / 2)
    const table = rows.slice(0, half).map((row, at) => `${row.padEnd(42)}${rows[at + half] ?? ''}`)
    const share = (this.longShare * 100).toFixed(0)
    return [
      ...table,
      `${this.#histories} histories, ${share} % of them with 30 events and more, ${this.#prefixes} prefixes checked`,
    ].join('\n')
  }
}

function namesOf(event: StoredEvent): string[] {
  switch (event.type) {
    case 'tool.result': {
      const { outcome, code, effect } = event.data
      return [
        event.type,
        `outcome ${outcome}`,
        ...(code === undefined ? [] : [`code ${code}`]),
        ...(outcome === 'error' && effect === 'unknown' ? ['failed in doubt'] : []),
      ]
    }
    case 'round.ended':
      return [
        event.type,
        `finish ${event.data.finishReason}`,
        ...(event.data.error?.startsWith('gave up') ? ['gave up'] : []),
      ]
    case 'round.asked':
      return [event.type, `asked ${event.data.what}`]
    case 'round.resumed':
      return [event.type, `resumed ${event.data.reason}`]
    case 'approval.decided':
      return [event.type, `decision ${event.data.decision}`, ...(event.data.remember ? ['decision remembered'] : [])]
    case 'tool.started':
      return [event.type, `started ${event.data.effect}`]
    case 'phase.ended':
      return [event.type, `phase ended ${event.data.reason}`]
    case 'message.assistant':
      return [event.type, ...(event.data.interrupted ? ['interrupted text'] : [])]
    case 'round.started':
      return [
        event.type,
        ...(event.data.protocol === 'triggered' && event.data.toolResultsAs === 'tool'
          ? ['triggered, results as tool']
          : []),
      ]
    default:
      return [event.type]
  }
}
