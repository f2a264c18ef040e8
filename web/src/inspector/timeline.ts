import type { CallStep, Phase, Rest, RoundPicture, TurnStep } from '../log/round-picture.ts'
import { timeAxis, without, type Stretch, type TimeAxis } from './time-axis.ts'

/** A line of the timeline: something that took time, on its own. */
export interface TimelineRow {
  readonly key: string
  readonly what:
    | { readonly kind: 'phase'; readonly phase: Phase }
    | { readonly kind: 'turn'; readonly turn: TurnStep }
    | { readonly kind: 'call'; readonly call: CallStep }
    | { readonly kind: 'rest'; readonly rest: Rest }
  /** the event it began with, where that is known */
  readonly seq?: number
  readonly from: number
  readonly to: number
  /** it has not ended */
  readonly isOpen: boolean
  /** how long it took; of a call only how long it ran, for it may have waited much longer */
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

function phaseRow(phase: Phase, end: number): TimelineRow {
  const stretch = { from: phase.startedAt, to: phase.endedAt ?? end }
  return {
    key: `phase ${phase.index}`,
    what: { kind: 'phase', phase },
    ...stretch,
    isOpen: phase.endedAt === undefined,
    tookMs: stretch.to - stretch.from,
    bars: [{ ...stretch, kind: 'phase' }],
    marks: [],
  }
}

function restRow(rest: Rest, index: number, end: number): TimelineRow {
  const stretch = { from: rest.from, to: rest.to ?? end }
  return {
    key: `rest ${index}`,
    what: { kind: 'rest', rest },
    ...stretch,
    isOpen: rest.to === undefined,
    tookMs: stretch.to - stretch.from,
    bars: [{ ...stretch, kind: 'rest' }],
    marks: [],
  }
}

function turnRow(turn: TurnStep, end: number): TimelineRow {
  const stretch = { from: turn.startedAt, to: turn.endedAt ?? end }
  const waits = turn.retries.map(({ at, waitMs }) => ({ from: at, to: Math.min(at + waitMs, stretch.to) }))
  return {
    key: `turn ${turn.turn} ${turn.seq}`,
    what: { kind: 'turn', turn },
    seq: turn.seq,
    ...stretch,
    isOpen: turn.endedAt === undefined,
    tookMs: stretch.to - stretch.from,
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
