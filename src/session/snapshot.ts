import { emptySession, type SessionState } from './session-state.ts'

/**
 * Must be increased when the fold gives another state for the same events, or its JSON changes; other versions are not
 * read.
 */
export const SNAPSHOT_VERSION = 4

/** The state of a session between two rounds, without its texts. */
export const snapshotOf = (state: SessionState): string => JSON.stringify(written(state))

function written({
  round: _,
  history,
  shownFrom,
  thoughtsRefused,
  unknown,
  remembered,
  addresses,
  ...rest
}: SessionState) {
  const { clearedAt, first, summaries, hidden } = history
  return {
    ...rest,
    history: {
      clearedAt,
      first,
      summaries: summaries.map((summary) => ({ ...summary, text: '' })),
      hidden: [...hidden],
    },
    shownFrom: [...shownFrom],
    thoughtsRefused: [...thoughtsRefused],
    unknown: [...unknown],
    remembered: [...remembered],
    addresses: { ...addresses, named: [...addresses.named] },
  }
}

/** The session of a snapshot without its texts; undefined if it is damaged and does not survive a round trip. */
export function fromSnapshot({ seq, body }: { readonly seq: number; readonly body: string }): SessionState | undefined {
  try {
    const { history, shownFrom, thoughtsRefused, unknown, remembered, addresses, ...rest } = JSON.parse(
      body,
    ) as ReturnType<typeof written>
    const empty = emptySession()
    const state: SessionState = {
      ...empty,
      ...rest,
      history: { ...empty.history, ...history, forgotten: seq, hidden: new Set(history.hidden) },
      shownFrom: new Map(shownFrom),
      thoughtsRefused: new Map(thoughtsRefused),
      unknown: new Map(unknown),
      remembered: new Set(remembered),
      addresses: { ...addresses, named: new Set(addresses.named) },
    }
    return state.seq === seq && snapshotOf(state) === body ? state : undefined
  } catch {
    return undefined
  }
}
