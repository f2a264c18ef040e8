import { setImmediate } from 'node:timers/promises'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { IgnoredCall } from '../../contract/event.ts'
import type { StopReason } from '../../contract/outcome.ts'
import type { Usage } from '../../contract/message.ts'
import type { CallHooks, CallOptions } from './call-model.ts'
import { isUnknownKind } from './unknown-kind.ts'
import { CallIsComplete, nextOrComplete } from './next-or-complete.ts'
import { parseArgs } from './parse-args.ts'
import { stopReasonOf, usageOf } from './read-finish.ts'
import { isContent, merged, nameOf, type Meta } from './read-part.ts'
import { wholePairs } from './whole-pairs.ts'

/** The result of one stream, in order. */
export interface Collected {
  readonly blocks: Block[]
  usage: Usage | null
  /** null if the stream did not end properly */
  stopReason: StopReason | null
  readonly ignored: IgnoredCall[]
  error: unknown
}

/** `meta`: what the provider wants back with the block. */
export type Block =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'reasoning'; text: string; meta?: Meta }
  | {
      readonly type: 'call'
      readonly callId: string
      readonly providerId: string
      readonly name: string
      readonly raw: string
      readonly meta?: Meta
    }

type Thought = Extract<Block, { type: 'reasoning' }>

export interface CollectOptions
  extends Pick<CallHooks, 'onDelta' | 'onArgs'>, Pick<CallOptions, 'newCallId' | 'oneCall' | 'answerChars' | 'signal'> {
  readonly onContent: () => void
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
  const collected: Collected = { blocks: [], usage: null, stopReason: null, ignored: [], error: undefined }
  const { blocks, ignored } = collected
  const open = new Map<string, { callId: string; name: string; hasArgs: boolean }[]>()
  const thoughts = new Map<string, Thought>()
  const clean = { text: wholePairs(), reasoning: wholePairs() }
  let chars = 0
  /** in a triggered turn: the call to stop at was received */
  let taken = false
  let first: Promise<void> | undefined
  const reader = stream.getReader()
  // Cancelling the reader ends a read that a provider without abort support would leave hanging.
  const leave = (): void => void reader.cancel().catch(() => {})
  options.signal.addEventListener('abort', leave)

  function count(text: string): void {
    chars += text.length
    if (chars > options.answerChars) throw new TooLong()
  }

  function say(text: string): void {
    if (text === '') return
    count(text)
    const last = blocks.at(-1)
    if (last?.type === 'text') last.text += text
    else blocks.push({ type: 'text', text })
    options.onDelta('text', text)
  }

  /** Each reasoning block keeps its own signature, even without text. */
  function think(id: string, text: string, meta: Meta | undefined): void {
    let thought = thoughts.get(id)
    if (!thought && (text !== '' || meta)) {
      thoughts.set(id, (thought = { type: 'reasoning', text: '' }))
      blocks.push(thought)
    }
    if (!thought) return
    if (meta) thought.meta = merged(thought.meta, meta)
    if (text === '') return
    count(text)
    thought.text += text
    options.onDelta('reasoning', text)
  }

  /** true: stop at this call, unless the stream was cut just there */
  function take(part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): boolean {
    const started = open.get(part.toolCallId)?.shift()
    if (part.providerExecuted) return false
    const name = nameOf(part.toolName)
    if (name === '') {
      ignored.push({ name, reason: 'no_name' })
      return false
    }
    if (!started) count(part.input)
    blocks.push({
      type: 'call',
      callId: started?.callId ?? options.newCallId(),
      providerId: part.toolCallId,
      name,
      raw: part.input,
      ...(part.providerMetadata && { meta: part.providerMetadata }),
    })
    if (!options.oneCall) return false
    // Empty arguments may be the rest of a cut stream, so only the end of the stream tells.
    const args = parseArgs(part.input)
    return args !== undefined && (started?.hasArgs === true || Object.keys(args).length > 0)
  }

  let breath = performance.now()
  let parts = 0
  try {
    for (;;) {
      const read = reader.read()
      const { done, value: part } = first ? await nextOrComplete(read, first) : await read
      if (done) break
      // A stream that always has its next part ready would never let a timer fire.
      if (++parts % PARTS_A_LOOK === 0 && performance.now() - breath > BREATH_MS) {
        await setImmediate()
        breath = performance.now()
      }
      // After the call to stop at, only the end matters.
      if (taken && part.type !== 'finish' && part.type !== 'error') {
        if (isContent(part)) options.onContent()
        if (part.type === 'tool-call' && !part.providerExecuted)
          ignored.push({ name: nameOf(part.toolName), reason: 'after_first' })
        continue
      }
      switch (part.type) {
        case 'text-delta':
          if (part.delta !== '') options.onContent()
          say(clean.text.push(part.delta))
          break
        case 'reasoning-start':
          think(part.id, '', part.providerMetadata)
          break
        case 'reasoning-delta':
          if (part.delta !== '') options.onContent()
          think(part.id, clean.reasoning.push(part.delta), part.providerMetadata)
          break
        case 'text-end':
          say(clean.text.end())
          break
        case 'reasoning-end':
          think(part.id, clean.reasoning.end(), part.providerMetadata)
          break
        case 'tool-input-start': {
          options.onContent()
          if (part.providerExecuted) break
          const call = { callId: options.newCallId(), name: nameOf(part.toolName), hasArgs: false }
          const same = open.get(part.id)
          if (same) same.push(call)
          else open.set(part.id, [call])
          options.onArgs(call.callId, call.name, '')
          break
        }
        case 'tool-input-delta': {
          if (part.delta !== '') options.onContent()
          const call = open.get(part.id)?.at(-1)
          if (!call) break
          count(part.delta)
          call.hasArgs ||= part.delta.trim() !== ''
          options.onArgs(call.callId, call.name, part.delta)
          break
        }
        case 'tool-call':
          options.onContent()
          if (take(part)) first = setImmediate()
          taken = options.oneCall && blocks.at(-1)?.type === 'call'
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
        case 'tool-result':
        case 'source':
        case 'file':
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
  if (collected.error === undefined) say(clean.text.end())
  if (!taken) for (const { name } of [...open.values()].flat()) ignored.push({ name, reason: 'incomplete' })
  return collected
}
