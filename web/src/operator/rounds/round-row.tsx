import { useId, useState } from 'react'
import type { Me, RoundSummary } from '../../api/shapes.ts'
import { ago, duration, money, tokens } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { VisibleText } from '../../text/visible-text.tsx'
import { Unfold } from '../unfold.tsx'
import { RoundDetail } from './round-detail.tsx'
import { standing } from './standing.ts'

/** A round in one line; it unfolds to how it went. */
export function RoundRow({ round, me }: { round: RoundSummary; me: Me }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { words, icon, tone } = standing(round)
  const { startedAt, endedAt, usage, cost } = round
  // What an open round has used is added up when it ends.
  const isCounted = round.state === 'ended' || usage.input + usage.output + cost > 0
  const title = round.userId === me.id ? round.title || 'New conversation' : undefined
  return (
    <>
      <tr className={isOpen ? 'op-row open' : 'op-row'}>
        <Unfold at={startedAt} isOpen={isOpen} shows={id} onTurn={() => setOpen(!isOpen)}>
          {ago(startedAt)}
        </Unfold>
        <td data-label="Conversation" className="op-wide">
          {title === undefined ? (
            <span className="muted">
              of <VisibleText text={round.userId} />
            </span>
          ) : (
            <VisibleText text={title} />
          )}
        </td>
        <td data-label="How it stands" className="op-wide">
          <span className={`op-state ${tone}`}>
            <Icon name={icon} />
            {words}
          </span>
        </td>
        <td data-label="Time" className="op-number">
          {round.state === 'queued'
            ? '–'
            : duration((endedAt ? Date.parse(endedAt) : Date.now()) - Date.parse(startedAt))}
        </td>
        <td data-label="Cost" className="op-number">
          {isCounted ? money(cost, usage.unpriced) : '–'}
        </td>
        <td data-label="Tokens" className="op-number">
          {isCounted ? tokens(usage) : '–'}
        </td>
        <td data-label="Model">
          <VisibleText text={round.model} />
        </td>
      </tr>
      {isOpen && (
        <tr className="op-detail" id={id}>
          <td colSpan={7}>
            <RoundDetail round={round} me={me} />
          </td>
        </tr>
      )}
    </>
  )
}
