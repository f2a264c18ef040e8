import { isDeepStrictEqual } from 'node:util'
import type { StoredEvent } from '../../../src/contract/event.ts'
import type { Conversation } from '../converse.ts'
import type { SaidCall } from '../contents/contents.ts'
import type { Expected } from '../expected.ts'
import { ORDINARY } from '../ordinary.ts'
import { bytesOf, type CutCase } from './plan-cuts.ts'

/** What must never come of a cut. */
export function judgeCut(cut: CutCase, conversation: Conversation, expected: Expected | undefined): string[] {
  return [
    ...conversation.troubles,
    ...runFaults(cut, conversation, expected),
    ...textFaults(cut, conversation),
    ...endFaults(cut, conversation, expected),
  ]
}

/** How many chunks of the recording this attempt was sent whole; what is needed of a chunk is its data line. */
function wholeChunks({ recording, cuts, afterwards }: CutCase, attempt: number): number {
  const { lines } = recording
  const cut = cuts[attempt - 1]
  if (!cut) return afterwards === 'recording' ? lines.length : 0
  const NEWLINES = 2
  return bytesOf(recording).ends.filter((end, at) => at < lines.length && end - NEWLINES <= cut.bytes).length
}

/** The last try at the turn: what came of the turn came of this one. */
const lastTry = ({ cuts }: CutCase, { attempts }: Conversation): number => Math.min(attempts, cuts.length + 1)

/** Only what the whole recording asks for is carried out, and only if its end, or in a triggered round its own, was sent. */
function runFaults(cut: CutCase, conversation: Conversation, expected: Expected | undefined): string[] {
  const { runs } = conversation
  const { recording, protocol } = cut
  const { calls, endsAt = Infinity } = recording.contents
  const chunks = wholeChunks(cut, lastTry(cut, conversation))
  const left: SaidCall[] = expected?.runs === 0 ? [] : [...calls]
  const faults = runs.flatMap(({ name, args }) => {
    const at = left.findIndex((call) => call.name === name && isDeepStrictEqual(parsed(call.raw), args))
    const [call] = at < 0 ? [] : left.splice(at, 1)
    if (!call) return [`${name} was carried out with ${JSON.stringify(args)}, which the recording does not ask for`]
    const ended = protocol === 'triggered' ? Math.min(call.endedAt ?? Infinity, endsAt) : endsAt
    return ended < chunks ? [] : [`${name} was carried out before the provider had ended it`]
  })
  return protocol === 'triggered' && runs.length > 1 ? [...faults, 'a triggered turn carried out two calls'] : faults
}

function parsed(raw: string): unknown {
  try {
    return raw.trim() === '' ? {} : JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** What is stored of the turn is one answer or the beginning of one, never two of them. */
function textFaults({ recording }: CutCase, { events, played }: Conversation): string[] {
  const text = events.map((event) => textOf(event, played.requestId)).join('')
  // Half a character at the end of what came is shown as the sign for that.
  const told = text.replace(/\uFFFD$/, '')
  return told === ORDINARY || recording.contents.text.startsWith(told)
    ? []
    : [`the turn is stored as "${text}", which nobody said`]
}

function textOf(event: StoredEvent, requestId: string): string {
  if (event.type !== 'message.assistant' || event.requestId !== requestId) return ''
  const { turn, own, content } = event.data
  return turn === 1 && !own ? content.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''
}

/** A stream without its end is no answer, and is asked for again. */
function endFaults(cut: CutCase, conversation: Conversation, expected: Expected | undefined): string[] {
  const { played, attempts } = conversation
  const { recording, protocol, cuts, afterwards } = cut
  const { calls, endsAt = Infinity } = recording.contents
  const isEnded = (attempt: number): boolean => endsAt < wholeChunks(cut, attempt)
  const mayStop = (attempt: number): boolean =>
    isEnded(attempt) ||
    (protocol === 'triggered' && calls.some(({ endedAt = Infinity }) => endedAt < wholeChunks(cut, attempt)))
  const faults: string[] = []
  const last = lastTry(cut, conversation)
  const isAnswer = last > cuts.length && afterwards === 'ordinary'
  if (!isAnswer && !mayStop(last) && played.finishReason !== 'error')
    faults.push(`a stream without its end was taken for an answer: the round ended with ${played.finishReason}`)
  if (attempts === 1 && !expected?.fails && !mayStop(1)) faults.push('a stream without its end was not asked for again')
  if (cuts.length === 1 && !expected?.fails && played.finishReason === 'error')
    faults.push(`the second answer was whole, but the round ended with an error: ${played.error}`)
  return faults
}
