import { emptySession, type SessionState } from './session-state.ts'

/**
 * To be counted up with every change by which the fold comes to another state from the same events, or a state is written
 * down otherwise: snapshots of another version are not read.
 */
export const SNAPSHOT_VERSION = 1

/** A session between two rounds as its log says it is, without its texts. */
export const snapshotOf = (state: SessionState): string => JSON.stringify(written(state))

function written({ round: _, history, shownFrom, unknown, remembered, addresses, ...rest }: SessionState) {
  const { after, summaryAt, hidden } = history
  return {
    ...rest,
    history: { after, summaryAt, hidden: [...hidden] },
    shownFrom: [...shownFrom],
    unknown: [...unknown],
    remembered: [...remembered],
    addresses: { ...addresses, named: [...addresses.named] },
  }
}

/** The session of a snapshot, but for its texts; undefined for one that is damaged: it does not come out as it went in. */
export function fromSnapshot({ seq, body }: { readonly seq: number; readonly body: string }): SessionState | undefined {
  try {
    const { history, shownFrom, unknown, remembered, addresses, ...rest } = JSON.parse(body) as ReturnType<
      typeof written
    >
    const empty = emptySession()
    const state: SessionState = {
      ...empty,
      ...rest,
      history: { ...empty.history, ...history, hidden: new Set(history.hidden) },
      shownFrom: new Map(shownFrom),
      unknown: new Map(unknown),
      remembered: new Set(remembered),
      addresses: { ...addresses, named: new Set(addresses.named) },
    }
    return state.seq === seq && snapshotOf(state) === body ? state : undefined
  } catch {
    return undefined
  }
}
