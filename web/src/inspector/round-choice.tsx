import { memo } from 'react'
import { textOf } from '../../../src/contract/message.ts'
import type { RoundPicture } from '../log/round-picture.ts'
import type { SessionLog } from '../log/session-log.ts'
import { clock } from '../parts/format.ts'
import { visibleText } from '../text/visible.ts'
import { inspected } from './inspected.ts'
import { roundsIn } from './rounds.ts'

/** Earlier ones are reached from the conversation. */
const MOST = 100

/** Which round is looked at, by when it began and how its message does. Time that goes by does not draw it again. */
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
          // The last round is whichever is the last, also later.
          inspected.set({ tab: 'round', ...(value !== lastId && { requestId: value }) })
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
  const start = textOf(user?.content ?? []).slice(0, 60)
  const said = visibleText(start.replaceAll(/[ \t\r\n]+/g, ' '))
  return `${begun ? `${clock(begun.at)} ` : ''}${said === '' ? '(no words)' : said}`
}
