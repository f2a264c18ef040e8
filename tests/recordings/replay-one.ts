import type { EventOf, EventType, StoredEvent } from '../../src/contract/event.ts'
import { NO_USAGE, type JsonObject, type Source, type Usage } from '../../src/contract/message.ts'
import type { FinishReason, Protocol, StopReason } from '../../src/contract/outcome.ts'
import { converse } from './converse.ts'
import type { Recording } from './read-recording.ts'
import { framesOf } from './sse.ts'
import type { Stage } from './stage.ts'

/** What Segno made of a recording. */
export interface Replayed {
  readonly name: string
  /** as Segno calls it */
  readonly model: string
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly ReplayedCall[]
  readonly sources: readonly Source[]
  /** media types of the files it made */
  readonly files: readonly string[]
  /** null: the provider did not say, or the stream failed */
  readonly usage: Usage | null
  /** micro-dollars, of the whole round; null: nobody knows the prices of this model */
  readonly cost: number | null
  readonly stopReason: StopReason | null
  /** why the round ended */
  readonly finishReason: FinishReason | null
  /** why the model call failed, if it did */
  readonly failure: string | null
  readonly attempts: number
  /** how many calls were carried out */
  readonly runs: number
  readonly goesOn: boolean
  readonly troubles: readonly string[]
}

export interface ReplayedCall {
  readonly name: string
  readonly args: JsonObject
  /** arguments that are no JSON object, as they came */
  readonly raw?: string
  readonly outcome: string
  readonly code?: string
}

export interface PlayOptions {
  readonly protocol: Protocol
  /** false: the stream ends without the mark that follows the last chunk */
  readonly done?: boolean
}

/** Plays a recording through the whole system and looks at what the log has of it. */
export async function replayOne(stage: Stage, recording: Recording, options: PlayOptions): Promise<Replayed> {
  const pieces = framesOf(recording, options.done)
  const conversation = await converse(stage, recording, options.protocol, () => ({ pieces, ending: 'end' }))
  const { played, troubles, attempts, runs } = conversation
  const events = conversation.events.filter(({ requestId }) => requestId === played.requestId)
  const said = dataOf(events, 'message.assistant').filter(({ turn }) => turn === 1)
  const ended = dataOf(events, 'turn.ended').find(({ turn }) => turn === 1)
  const notice = dataOf(events, 'notice').find(({ reason }) => reason === 'model_failed')
  // Where a model says nothing, Segno has words of its own.
  const partsOf = (kind: 'text' | 'reasoning'): string[] =>
    said.flatMap(({ content, own }) =>
      content.map((part) => (part.type === kind && !(own && kind === 'text') ? part.text : '')),
    )
  const { unpriced, ...usage } = ended?.usage ?? NO_USAGE
  return {
    name: recording.name,
    model: stage.model(recording.provider, recording.modelId),
    text: partsOf('text').join(''),
    reasoning: partsOf('reasoning').join(''),
    calls: callsOf(events),
    sources: said.flatMap(({ sources = [] }) => sources),
    files: said.flatMap(({ files = [] }) => files.map(({ mediaType }) => mediaType)),
    usage: usage.estimated || notice ? null : usage,
    cost: unpriced ? null : played.cost,
    stopReason: ended?.stopReason ?? null,
    finishReason: played.finishReason,
    failure: notice?.text ?? null,
    attempts,
    runs: runs.length,
    goesOn: troubles.length === 0,
    troubles,
  }
}

function callsOf(events: readonly StoredEvent[]): ReplayedCall[] {
  const results = new Map(dataOf(events, 'tool.result').map((result) => [result.callId, result]))
  return dataOf(events, 'tool.call')
    .filter(({ turn }) => turn === 1)
    .map(({ callId, name, args, raw }) => {
      const { outcome, code } = results.get(callId) ?? { outcome: 'none' }
      return { name, args, ...(raw !== undefined && { raw }), outcome, ...(code && { code }) }
    })
}

function dataOf<T extends EventType>(events: readonly StoredEvent[], type: T): EventOf<T>['data'][] {
  return events.filter((event) => event.type === type).map((event) => event.data as EventOf<T>['data'])
}
