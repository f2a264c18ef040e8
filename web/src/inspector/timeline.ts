import type { CallStep, OwnAsk, Phase, Rest, RoundPicture, TurnStep } from '../log/round-picture.ts'
import { timeAxis, without, type Stretch, type TimeAxis } from './time-axis.ts'

/** A line of the timeline: one thing that took time. */
export interface TimelineRow {
  readonly key: string
  readonly what:
    | { readonly kind: 'phase'; readonly phase: Phase }
    | { readonly kind: 'turn'; readonly turn: TurnStep }
    | { readonly kind: 'call'; readonly call: CallStep }
    | { readonly kind: 'rest'; readonly rest: Rest }
    | { readonly kind: 'own'; readonly ask: OwnAsk }
  /** the event it began with, where that is known */
  readonly seq?: number
  readonly from: number
  readonly to: number
  /** it has not ended */
  readonly isOpen: boolean
  /** how long it took; for a call only how long it ran, without the wait for an approval */
  readonly tookMs: number
  /** `run`: it does something. `ask`: it waits for a person. `rest`: nothing happens. */
  readonly bars: readonly (Stretch & { readonly kind: 'run' | 'ask' | 'rest' | 'phase' })[]
  /** a model that did not answer was asked again */
  readonly marks: readonly number[]
}

export interface Timeline {
  readonly from: number
  readonly to: number
  readonly rows: readonly TimelineRow[]
  readonly axis: TimeAxis
}

export function timelineOf(round: RoundPicture, now: number): Timeline {
  const end = round.finish?.at ?? Math.max(now, round.lastAt)
  const rows = [
    ...round.phases.map((phase) => phaseRow(phase, end)),
    ...round.rests.map((rest, index) => restRow(rest, index, end)),
    ...round.ownAsks.map((ask) => ownRow(ask, end)),
    ...round.steps.flatMap((step) => {
      if (step.kind === 'call') return [callRow(step, end)]
      return step.kind === 'turn' && !isWordsOnly(step) ? [turnRow(step, end)] : []
    }),
  ].toSorted((a, b) => a.from - b.from)
  const from = Math.min(end, round.begun?.at ?? Infinity, ...rows.map((row) => row.from))
  const resting = rows.flatMap((row) => row.bars.filter(({ kind }) => kind === 'rest'))
  const busy = rows.flatMap((row) => busyIn(row)).flatMap((stretch) => without(stretch, resting))
  return { from, to: end, rows, axis: timeAxis({ from, to: end }, busy) }
}

/** Segno's own words are no turn of a model, and take no time. */
const isWordsOnly = ({ said, model }: TurnStep): boolean => model === '' && (said?.own ?? false)

/** When it did something itself, rather than wait for a person. */
function busyIn({ bars }: TimelineRow): Stretch[] {
  const asks = bars.filter(({ kind }) => kind === 'ask')
  return bars.filter(({ kind }) => kind === 'run').flatMap((bar) => without(bar, asks))
}

const phaseRow = (phase: Phase, end: number): TimelineRow => ({
  key: `phase ${phase.phaseIndex}`,
  what: { kind: 'phase', phase },
  ...oneBar('phase', stretchOf(phase.startedAt, phase.endedAt, end)),
})

const restRow = (rest: Rest, index: number, end: number): TimelineRow => ({
  key: `rest ${index}`,
  what: { kind: 'rest', rest },
  ...oneBar('rest', stretchOf(rest.from, rest.to, end)),
})

const ownRow = (ask: OwnAsk, end: number): TimelineRow => ({
  key: `own ${ask.askId}`,
  what: { kind: 'own', ask },
  seq: ask.seq,
  ...oneBar('run', stretchOf(ask.startedAt, ask.endedAt, end)),
})

const oneBar = (kind: 'phase' | 'rest' | 'run', stretch: ReturnType<typeof stretchOf>) => ({
  ...stretch,
  bars: [{ from: stretch.from, to: stretch.to, kind }],
  marks: [],
})

function stretchOf(from: number, ended: number | undefined, now: number) {
  const to = ended ?? now
  return { from, to, isOpen: ended === undefined, tookMs: to - from }
}

function turnRow(turn: TurnStep, end: number): TimelineRow {
  const stretch = stretchOf(turn.startedAt, turn.endedAt, end)
  const waits = turn.retries.map(({ at, waitMs }) => ({ from: at, to: Math.min(at + waitMs, stretch.to) }))
  return {
    key: `turn ${turn.turn} ${turn.seq}`,
    what: { kind: 'turn', turn },
    seq: turn.seq,
    ...stretch,
    bars: [
      ...without(stretch, waits).map((one) => ({ ...one, kind: 'run' as const })),
      ...waits.map((one) => ({ ...one, kind: 'rest' as const })),
    ],
    marks: turn.retries.map(({ at }) => at),
  }
}

function callRow(call: CallStep, end: number): TimelineRow {
  const { askedAt, startedAt, approval, result } = call
  const to = result?.at ?? end
  // A call that was refused never ran: it is drawn as a moment.
  const ran = startedAt ?? (result && !approval ? result.at : undefined)
  return {
    key: `call ${call.callId}`,
    what: { kind: 'call', call },
    seq: call.seq,
    from: askedAt,
    to,
    isOpen: !result,
    tookMs: result?.durationMs ?? to - (startedAt ?? askedAt),
    bars: [
      ...(ran === undefined ? [] : [{ from: ran, to, kind: 'run' as const }]),
      ...(approval ? [{ from: approval.requestedAt, to: approval.decidedAt ?? to, kind: 'ask' as const }] : []),
    ],
    marks: [],
  }
}
