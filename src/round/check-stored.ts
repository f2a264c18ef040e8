import { emptySession, fold, fromSnapshot, SNAPSHOT_VERSION, snapshotOf, type SessionState } from '../session/index.ts'
import { eventSteps, type CheckReport, type LogStore, type UpkeepOptions, type UpkeepStore } from '../store/index.ts'

const AT_ONCE = 100

/** Checks the store, and whether every snapshot matches its log. */
export async function checkStored(store: UpkeepStore & LogStore, options: UpkeepOptions = {}): Promise<CheckReport> {
  const report = await store.check(options)
  // Snapshots cannot be checked against a damaged log.
  if (!report.ok) return report
  const findings = await snapshotFindings(store, options.signal)
  return { ...report, ok: findings.length === 0, findings }
}

async function snapshotFindings(store: LogStore, signal: AbortSignal | undefined): Promise<string[]> {
  const findings: string[] = []
  let of: string | undefined
  let state = emptySession()
  for (let place = 0, more = true; more;) {
    const some = await store.snapshots(place, AT_ONCE)
    for (const { place: at, sessionId, seq, version, body } of some) {
      place = at
      signal?.throwIfAborted()
      if (sessionId === undefined || version !== SNAPSHOT_VERSION) continue
      if (of !== sessionId) state = await startOf(store, sessionId, seq)
      of = sessionId
      for await (const events of eventSteps(store, of, { after: state.seq, upTo: seq })) {
        fold(events, state)
        state.history.exchanges = []
        state.history.results.clear()
      }
      const isRight = state.seq === seq && state.round === null && snapshotOf(state) === body
      // Its session may have been erased meanwhile.
      if (!isRight && (await store.snapshot(of, version, seq))?.body === body)
        findings.push(`session ${of}: the snapshot at event ${seq} differs from the log`)
    }
    more = some.length === AT_ONCE
  }
  return findings
}

/** A fork starts from the last snapshot it shares with its parent, which was checked before. */
async function startOf(store: LogStore, sessionId: string, seq: number): Promise<SessionState> {
  const shared = await store.snapshot(sessionId, SNAPSHOT_VERSION, seq - 1)
  return (shared && fromSnapshot(shared)) ?? emptySession()
}
