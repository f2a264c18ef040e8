import { setImmediate } from 'node:timers/promises'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Block, Collected, CollectOptions } from './collect.ts'
import { followCalls } from './follow-calls.ts'
import { parseArgs } from './parse-args.ts'
import { isContent, nameOf } from './read-part.ts'

type Part<Type extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, { type: Type }>

interface OpenCall {
  readonly callId: string
  readonly name: string
  hasArgs: boolean
}

/** Collects the calls of a stream; a triggered turn stops at the first complete one. `count` counts their characters. */
export function takeCalls(
  { blocks, ignored }: Pick<Collected, 'blocks' | 'ignored'>,
  options: CollectOptions,
  count: (length: number) => void,
) {
  const open = new Map<string, OpenCall[]>()
  const followed = options.oneCall && options.callsEndLast ? followCalls() : undefined
  /** in a triggered turn: the call to stop at was received */
  let taken = false
  let stop: Promise<void> | undefined
  /** the call that was taken before its provider ended it */
  let early: Extract<Block, { type: 'call' }> | undefined

  function begin({ id, toolName }: Part<'tool-input-start'>): OpenCall {
    const call = { callId: options.newCallId(), name: nameOf(toolName), hasArgs: false }
    count(id.length + call.name.length)
    const same = open.get(id)
    if (same) same.push(call)
    else open.set(id, [call])
    return call
  }

  /** true: stop at this call, unless the stream was cut just there */
  function take(part: Part<'tool-call'>): boolean {
    const started = open.get(part.toolCallId)?.shift()
    if (part.providerExecuted) return false
    const name = nameOf(part.toolName)
    if (name === '') {
      ignored.push({ name, reason: 'no_name' })
      return false
    }
    if (!started) count(name.length + part.input.length)
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

  /** Takes the first complete call, if this part shows that it is one. */
  function takeEarly(part: LanguageModelV4StreamPart): void {
    const ended = followed?.endedBy(part)
    if (!ended) return
    take(ended)
    const block = blocks.at(-1)
    if (block?.type !== 'call') return
    early = block
    taken = true
    stop = setImmediate()
  }

  return {
    /** The stream is left when this is done, unless it ends before. */
    get stop(): Promise<void> | undefined {
      return stop
    },
    /** Whether the call to stop at was received; this part may show that it was. */
    isTaken(part: LanguageModelV4StreamPart): boolean {
      if (!taken) takeEarly(part)
      return taken
    },
    start(part: Part<'tool-input-start'>): void {
      if (part.providerExecuted) return
      const { callId, name } = begin(part)
      options.onArgs(callId, name, '')
    },
    args({ id, delta }: Part<'tool-input-delta'>): void {
      const call = open.get(id)?.at(-1)
      if (!call) return
      count(delta.length)
      call.hasArgs ||= delta.trim() !== ''
      options.onArgs(call.callId, call.name, delta)
    },
    call(part: Part<'tool-call'>): void {
      if (take(part)) stop = setImmediate()
      taken = options.oneCall && blocks.at(-1)?.type === 'call'
    },
    /** After the call to stop at only the end matters, and which calls are ignored. */
    passOver(part: LanguageModelV4StreamPart): void {
      if (isContent(part)) options.onContent()
      if (part.type === 'tool-input-start' && !part.providerExecuted) begin(part)
      if (part.type !== 'tool-call' || part.providerExecuted) return
      if (early?.providerId === part.toolCallId) {
        if (part.providerMetadata) early.meta = part.providerMetadata
        return
      }
      open.get(part.toolCallId)?.shift()
      ignored.push({ name: nameOf(part.toolName), reason: 'after_first' })
    },
    /** Calls that started and never ended are ignored. */
    end(): void {
      for (const { name } of [...open.values()].flat())
        ignored.push({ name, reason: taken ? 'after_first' : 'incomplete' })
    },
  }
}
