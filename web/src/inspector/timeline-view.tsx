import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { duration, OUTCOMES } from '../parts/format.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import type { RoundPicture } from '../log/round-picture.ts'
import { goTo } from '../state/route.ts'
import { useSession } from '../state/session.ts'
import { visibleText } from '../text/visible.ts'
import { inspected } from './inspected.ts'
import { timelineOf, type Timeline, type TimelineRow } from './timeline.ts'
import { TimelineDetails } from './timeline-details.tsx'

/** Where the time of a round went: a table whose middle column is one time axis. */
export function TimelineView({ round, now }: { round: RoundPicture; now: number }) {
  const { id } = useSession()
  const [chosen, choose] = useState<string>()
  const timeline = timelineOf(round, now)
  const { rows, from, to, axis } = timeline
  const folded = axis.breaks.reduce((sum, gap) => sum + gap.to - gap.from, 0)
  const show = ({ seq }: TimelineRow): void => {
    if (seq !== undefined) goTo({ page: 'session', id, seq })
  }
  if (rows.length === 0) return <p className="insp-note">Nothing has taken time yet.</p>
  return (
    <table className="insp-timeline">
      {folded > 0 && <caption>Dashed: {duration(folded)} in which nothing ran, folded.</caption>}
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">
            <span className="sr-only">When, on an axis of {duration(to - from)}</span>
            <span className="insp-axis" aria-hidden="true">
              <span>0</span>
              <span className="insp-end">{duration(to - from)}</span>
            </span>
          </th>
          <th scope="col" className="insp-took">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.key}
            requestId={round.requestId}
            row={row}
            timeline={timeline}
            isChosen={row.key === chosen}
            onShow={() => show(row)}
            onChoose={() => {
              const isOpening = row.key !== chosen
              choose(isOpening ? row.key : undefined)
              // On a phone the conversation is behind this: going there would close what was just opened.
              if (isOpening && !matchMedia('(max-width: 760px)').matches) show(row)
            }}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly requestId: string
  readonly row: TimelineRow
  readonly timeline: Timeline
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onShow: () => void
}

function Row({ requestId, row, timeline: { axis, from }, isChosen, onChoose, onShow }: RowProps) {
  const { icon, label, words } = faceOf(row)
  const place = (at: number): string => `${axis.place(at) * 100}%`
  return (
    <>
      <tr className={`insp-row ${row.what.kind}`}>
        <th scope="row">
          <button type="button" className="fold insp-what" aria-expanded={isChosen} title={label} onClick={onChoose}>
            <Icon name={icon} size={14} />
            <span className="ellipsis">{label}</span>
          </button>
        </th>
        <td onClick={onChoose}>
          <span className="sr-only">
            from {duration(row.from - from)} to {row.isOpen ? 'now' : duration(row.to - from)}
            {words}
          </span>
          <span className="insp-track" aria-hidden="true">
            {axis.breaks.map((gap) => (
              <span
                key={gap.from}
                className="insp-break"
                title={`${duration(gap.to - gap.from)} folded`}
                style={{ left: `${gap.start * 100}%`, width: `${(gap.end - gap.start) * 100}%` }}
              />
            ))}
            {row.bars.map((bar, index) => (
              <span
                key={index}
                className={`insp-bar ${bar.kind} ${toneOf(row)}`}
                style={{ left: place(bar.from), width: `${(axis.place(bar.to) - axis.place(bar.from)) * 100}%` }}
              />
            ))}
            {row.marks.map((at) => (
              <span key={at} className="insp-mark" style={{ left: place(at) }} />
            ))}
          </span>
        </td>
        <td className="insp-took">{duration(row.tookMs)}</td>
      </tr>
      {isChosen && (
        <tr>
          <td colSpan={3} className="insp-details">
            <TimelineDetails requestId={requestId} row={row} />
            {row.what.kind === 'turn' && <SentButton turn={row.what.turn.turn} />}
            {row.seq !== undefined && (
              <Button icon="right" onClick={onShow}>
                Show it in the conversation
              </Button>
            )}
          </td>
        </tr>
      )}
    </>
  )
}

function SentButton({ turn }: { turn: number }) {
  return (
    <Button icon="panel" onClick={() => inspected.set({ ...inspected.get(), tab: 'prompt', turn })}>
      What the model was sent
    </Button>
  )
}

const RESTS = {
  approval: 'waits for you',
  result: 'waits for a result',
  workflow: 'waits for a workflow',
  task: 'waits for a task',
  paused: 'paused',
  takeover: 'server away',
} as const
const OWN = { summary: 'Summary', title: 'Title' } as const
const PHASES: Readonly<Record<string, string>> = { tool_phase: 'Tool phase', action_phase: 'Action phase' }

function faceOf({ what, marks }: TimelineRow): { icon: IconName; label: string; words: string } {
  switch (what.kind) {
    case 'phase':
      return { icon: 'right', label: PHASES[what.phase.phase] ?? what.phase.phase, words: '' }
    case 'rest':
      return { icon: what.rest.why === 'takeover' ? 'warn' : 'pause', label: RESTS[what.rest.why], words: '' }
    case 'own':
      return {
        icon: 'shorten',
        label: OWN[what.ask.purpose],
        words: what.ask.failed === undefined ? '' : ', failed',
      }
    case 'turn':
      return {
        icon: 'chart',
        label: `Turn ${what.turn.turn}`,
        words: marks.length > 0 ? `, asked again ${marks.length} times` : '',
      }
    case 'call': {
      const { result, approval } = what.call
      const waits = approval?.status === 'pending' ? ', waits for you' : ''
      return {
        icon: result?.outcome === 'ok' ? 'check' : result ? 'cross' : 'tool',
        label: visibleText(what.call.name),
        words: result ? `, ${OUTCOMES[result.outcome]}` : waits,
      }
    }
  }
}

function toneOf({ what }: TimelineRow): string {
  if (what.kind !== 'call' || !what.call.result || what.call.result.outcome === 'ok') return ''
  return what.call.result.outcome === 'unknown' || what.call.result.outcome === 'error' ? 'danger' : 'warn'
}
