import { memo } from 'react'
import { CONTINUED, textOf } from '../../../src/contract/message.ts'
import type { RoundPicture } from '../log/round-picture.ts'
import { roundsIn, type SessionLog } from '../log/session-log.ts'
import { clock, oneLine } from '../parts/format.ts'
import { visibleText } from '../text/visible.ts'
import { inspected } from './inspected.ts'

/** Earlier ones are reached from the conversation. */
const MOST = 100

/** Chooses a round by its start and first words. Drawn again only when the log changes. */
export const RoundChoice = memo(
  function RoundChoice({ log, requestId }: { log: SessionLog; requestId: string }) {
    const rounds = roundsIn(log)
    const lastId = rounds.at(-1)?.requestId
    const shown = rounds.filter((round, index) => index >= rounds.length - MOST || round.requestId === requestId)
    return (
      <select
        className="input"
        aria-label="Choose the round"
        value={requestId}
        onChange={({ target: { value } }) => {
          // Choosing the last round means following the last one, also when a new one begins.
          const { requestId: _, ...rest } = inspected.get()
          inspected.set({ ...rest, ...(value !== lastId && { requestId: value }) })
        }}
      >
        {shown.toReversed().map((round) => (
          <option key={round.requestId} value={round.requestId}>
            {nameOf(round)}
          </option>
        ))}
      </select>
    )
  },
  (a, b) => a.log.items === b.log.items && a.requestId === b.requestId,
)

function nameOf({ user, begun }: RoundPicture): string {
  const said = user?.own ? CONTINUED : visibleText(oneLine(textOf(user?.content ?? []), 60))
  return `${begun ? `${clock(begun.at)} ` : ''}${said === '' ? '(no words)' : said}`
}
