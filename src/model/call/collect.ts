import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { IgnoredCall } from '../../contract/event.ts'
import type { StopReason } from '../../contract/outcome.ts'
import type { Usage } from '../../contract/message.ts'
import type { CallHooks, CallOptions } from './call-model.ts'
import { isUnknownKind } from './unknown-kind.ts'
import { cutTags } from './cut-tags.ts'
import { CallIsComplete, nextOrComplete } from './next-or-complete.ts'
import { stopReasonOf, usageOf } from './read-finish.ts'
import { addDetails, rawThought, type Detail, type RawThought } from './raw-thoughts.ts'
import { isSigned, longChars, merged, type Meta, metaOfText } from './read-part.ts'
import { takeCalls } from './take-calls.ts'
import { takeExtras } from './take-extras.ts'
import { wholePairs } from './whole-pairs.ts'

/** The result of one stream, in order. */
export interface Collected {
  readonly blocks: Block[]
  usage: Usage | null
  /** null if the stream did not end properly */
  stopReason: StopReason | null
  readonly ignored: IgnoredCall[]
  readonly extras: Pick<ReturnType<typeof takeExtras>, 'sources' | 'files'>
  /** what its tags want remembered; they are in no block */
  readonly remembers: readonly string[]
  error: unknown
}

/** `meta`: what the provider wants back with the block. */
export type Block =
  | { readonly type: 'text'; text: string; meta?: Meta }
  | { readonly type: 'reasoning'; text: string; meta?: Meta }
  | {
      readonly type: 'call'
      readonly callId: string
      readonly providerId: string
      readonly name: string
      readonly raw: string
      meta?: Meta
    }

type Thought = Extract<Block, { type: 'reasoning' }>

export interface CollectOptions
  extends Pick<CallHooks, 'onDelta' | 'onArgs'>, Pick<CallOptions, 'newCallId' | 'oneCall' | 'answerChars' | 'signal'> {
  readonly onContent: () => void
  /** the provider ends calls only together with the stream */
  readonly callsEndLast: boolean
}

/** The answer exceeds the limit; a retry would not help. */
export class TooLong extends Error {}

const BREATH_MS = 10
const PARTS_A_LOOK = 32

/** Reads a stream to its end. Text never ends in half a surrogate pair, and a call counts once the provider ends it. */
export async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  options: CollectOptions,
): Promise<Collected> {
  const extras = takeExtras()
  const tags = cutTags()
  const { tags: remembers } = tags
  const collected: Collected = {
    blocks: [],
    usage: null,
    stopReason: null,
    ignored: [],
    extras,
    remembers,
    error: undefined,
  }
  const { blocks } = collected
  const thoughts = new Map<string, Thought>()
  const details: Detail[] = []
  /** a text that started, without words so far */
  let begun: { readonly meta: Meta | undefined } | undefined
  const clean = { text: wholePairs(), reasoning: wholePairs() }
  let chars = 0
  const calls = takeCalls(collected, options, count)
  const reader = stream.getReader()
  // Cancelling the reader ends a read that a provider without abort support would leave hanging.
  const leave = (): void => void reader.cancel().catch(() => {})
  options.signal.addEventListener('abort', leave)

  /** Everything that is kept is counted, so that nothing without words goes on for ever. */
  function count(length: number): void {
    chars += length
    if (chars > options.answerChars) throw new TooLong()
  }

  /** Texts that follow each other are one, unless the provider wants something else back with the next one. */
  function say(text: string, of?: Meta): void {
    const meta = metaOfText(of)
    let last = blocks.at(-1)
    if (last?.type !== 'text' || (begun && !isDeepStrictEqual(last.meta, begun.meta))) {
      if (text === '' && !isSigned(meta)) return
      blocks.push((last = { type: 'text', text: '', ...(begun?.meta && { meta: begun.meta }) }))
    }
    begun = undefined
    if (meta) last.meta = merged(last.meta, meta)
    if (text === '') return
    count(text.length)
    show(last, tags.push(text))
  }

  function show(block: Extract<Block, { type: 'text' }>, text: string): void {
    if (text === '') return
    block.text += text
    options.onDelta('text', text)
  }

  /** What may have become a tag and did not; the beginning of one that was cut off is dropped with the stream. */
  function sayRest(): void {
    say(clean.text.end())
    const last = blocks.findLast(({ type }) => type === 'text')
    if (last?.type === 'text') show(last, tags.end())
  }

  /** Each reasoning block keeps its own signature, even without text. */
  function think(id: string, text: string, meta: Meta | undefined): void {
    let thought = thoughts.get(id)
    if (!thought && (text !== '' || meta)) {
      count(id.length)
      thoughts.set(id, (thought = { type: 'reasoning', text: '' }))
      blocks.push(thought)
    }
    if (!thought) return
    if (meta) thought.meta = merged(thought.meta, meta)
    if (text === '') return
    count(text.length)
    thought.text += text
    options.onDelta('reasoning', text)
  }

  /** A thought that the package leaves out. */
  function thinkRaw(thought: RawThought | undefined): void {
    if (!thought) return
    options.onContent()
    if ('text' in thought) return think(thought.id, clean.reasoning.push(thought.text), undefined)
    count(addDetails(details, thought.details))
    think(thought.id, '', { openrouter: { reasoning_details: details } })
  }

  let breath = performance.now()
  let parts = 0
  try {
    for (;;) {
      const read = reader.read()
      const { done, value: part } = calls.stop ? await nextOrComplete(read, calls.stop) : await read
      if (done) break
      // A stream that always has its next part ready would never let a timer fire.
      if (++parts % PARTS_A_LOOK === 0 && performance.now() - breath > BREATH_MS) {
        await setImmediate()
        breath = performance.now()
      }
      if ('providerMetadata' in part) count(longChars(part.providerMetadata))
      if (calls.isTaken(part) && part.type !== 'finish' && part.type !== 'error') {
        calls.passOver(part)
        continue
      }
      switch (part.type) {
        case 'raw':
          thinkRaw(rawThought(part.rawValue))
          extras.raw(part.rawValue)
          break
        case 'text-start':
          begun = { meta: metaOfText(part.providerMetadata) }
          break
        case 'text-delta':
          if (part.delta !== '') options.onContent()
          say(clean.text.push(part.delta), part.providerMetadata)
          break
        case 'reasoning-start':
          think(part.id, '', part.providerMetadata)
          break
        case 'reasoning-delta':
          if (part.delta !== '') options.onContent()
          think(part.id, clean.reasoning.push(part.delta), part.providerMetadata)
          break
        case 'text-end':
          say(clean.text.end(), part.providerMetadata)
          break
        case 'reasoning-end':
          think(part.id, clean.reasoning.end(), part.providerMetadata)
          break
        case 'tool-input-start':
          options.onContent()
          calls.start(part)
          break
        case 'tool-input-delta':
          if (part.delta !== '') options.onContent()
          calls.args(part)
          break
        case 'tool-call':
          options.onContent()
          calls.call(part)
          break
        case 'finish':
          collected.usage = usageOf(part.usage)
          collected.stopReason = stopReasonOf(part.finishReason)
          if (part.finishReason.unified === 'error') collected.error = { type: part.finishReason.raw ?? 'error' }
          break
        case 'error':
          if (isUnknownKind(part.error)) break
          collected.error = part.error ?? new Error('the provider reported an error')
          break
        case 'source':
          options.onContent()
          extras.source(part)
          break
        case 'file':
          options.onContent()
          count(part.mediaType.length)
          extras.file(part)
          break
        case 'tool-result':
          options.onContent()
          break
        default:
          break
      }
      if (collected.error !== undefined) break
    }
  } catch (error) {
    if (error instanceof CallIsComplete) collected.stopReason = 'tool_use'
    else collected.error = error ?? new Error('the stream failed')
  } finally {
    options.signal.removeEventListener('abort', leave)
    leave()
  }
  if (collected.error === undefined) sayRest()
  calls.end()
  return collected
}
