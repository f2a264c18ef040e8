import type { WireEventOf } from '../../../src/client/index.ts'
import type { EventData } from '../../../src/contract/event.ts'
import type { FilePart } from '../../../src/contract/message.ts'
import type { EffectClass, FinishReason } from '../../../src/contract/outcome.ts'

/** A round as people see it: made from its stored events and nothing else. Times are milliseconds since 1970. */
export interface RoundPicture {
  readonly requestId: string
  /** `begun` is missing while its first events are not loaded */
  readonly begun?: At & { readonly seq: number } & Kept<
      'round.started',
      'model' | 'protocol' | 'mode' | 'params' | 'origin'
    >
  readonly state: 'running' | 'waiting' | 'paused' | 'ended'
  readonly user?: At & { readonly eventId: string; readonly seq: number } & Kept<'message.user', 'content' | 'own'>
  /** in the order in which they began */
  readonly steps: readonly Step[]
  readonly phases: readonly Phase[]
  /** times in which it rested: for an answer of a person or a result, paused, or without an owner after a crash */
  readonly rests: readonly Rest[]
  readonly asked: readonly (At & EventData['round.asked'])[]
  /** what Segno itself asked models for meanwhile */
  readonly ownAsks: readonly OwnAsk[]
  readonly finish?: Finish
  readonly firstSeq: number
  readonly lastSeq: number
  readonly lastAt: number
}

interface At {
  readonly at: number
}

/** What is kept of the data of an event. */
type Kept<T extends keyof EventData, K extends keyof WireEventOf<T>['data']> = Readonly<Pick<WireEventOf<T>['data'], K>>

export type Step = TurnStep | CallStep | NoticeStep | SummaryStep

export interface TurnStep
  extends
    Kept<'turn.started', 'turn' | 'model'>,
    Partial<Kept<'turn.ended', 'stopReason' | 'usage' | 'cost' | 'providerSaid'>> {
  readonly kind: 'turn'
  readonly seq: number
  readonly startedAt: number
  readonly endedAt?: number
  readonly retries: readonly (At & Kept<'turn.retried', 'attempt' | 'reason' | 'model' | 'waitMs' | 'providerSaid'>)[]
  /** once it is stored */
  readonly said?: Said
}

interface Said extends Kept<
  'message.assistant',
  'final' | 'interrupted' | 'own' | 'files' | 'sources' | 'citations' | 'remembers'
> {
  readonly eventId: string
  readonly text: string
  readonly reasoning: string
}

/** `raw`: the arguments as the model wrote them, where they could not be read. */
export interface CallStep extends Kept<'tool.call', 'callId' | 'name' | 'args' | 'raw' | 'turn'> {
  readonly kind: 'call'
  readonly seq: number
  readonly askedAt: number
  readonly startedAt?: number
  /** its work was handed over: the result comes later */
  readonly submitted?: At & Kept<'tool.submitted', 'ref' | 'until' | 'kind'>
  readonly effectClass?: EffectClass
  readonly approval?: CallApproval
  readonly result?: CallResult
  readonly reconciled?: Kept<'tool.reconciled', 'happened' | 'by' | 'note' | 'late'>
}

export interface CallApproval extends Kept<'approval.requested', 'reason'> {
  readonly id: string
  readonly status: 'pending' | EventData['approval.decided']['decision']
  readonly requestedAt: number
  readonly decidedAt?: number
  readonly by?: string
  readonly isQuestion: boolean
}

/** `content` is missing while outputs are not shown. */
export interface CallResult
  extends At, Kept<'tool.result', 'outcome' | 'code' | 'effect' | 'content' | 'chars' | 'cut' | 'durationMs' | 'cost'> {
  readonly files: readonly FilePart[]
}

interface NoticeStep {
  readonly kind: 'notice'
  readonly seq: number
  readonly text: string
}

interface SummaryStep extends Readonly<EventData['compact.summary']> {
  readonly kind: 'summary'
  readonly seq: number
}

export interface OwnAsk
  extends
    Kept<'model.asked', 'askId' | 'purpose' | 'model' | 'because'>,
    Partial<Kept<'model.answered', 'usage' | 'cost' | 'failed'>> {
  readonly seq: number
  readonly startedAt: number
  readonly endedAt?: number
}

export interface Phase extends Readonly<EventData['phase.started']>, Partial<Kept<'phase.ended', 'reason'>> {
  readonly startedAt: number
  readonly endedAt?: number
}

export interface Rest {
  readonly why: 'approval' | 'result' | 'workflow' | 'task' | 'paused' | 'takeover'
  readonly from: number
  readonly to?: number
}

interface Finish extends At, Kept<'round.ended', 'usage' | 'cost' | 'error' | 'unstarted'> {
  readonly reason: FinishReason
}
