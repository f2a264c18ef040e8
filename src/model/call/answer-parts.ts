import type { IgnoredCall } from '../../contract/event.ts'
import type { AssistantPart, Json } from '../../contract/message.ts'
import type { TurnResult } from './call-model.ts'
import type { Block, Collected } from './collect.ts'
import type { Made } from './take-extras.ts'
import type { Model } from '../model.ts'
import { parseArgs } from './parse-args.ts'
import { modelName } from '../render/render.ts'

/** The collected answer as it is stored; calls of a failed stream are ignored. */
export function answerParts(
  collected: Collected,
  model: Model,
  failed: boolean,
): Pick<TurnResult, 'parts' | 'ignored' | 'sources' | 'made' | 'remembers'> {
  const { blocks, stopReason, extras, remembers } = collected
  const parts = blocks
    .filter((block) => !failed || block.type !== 'call')
    .map((block, at) => partOf(block, model, stopReason === 'max_tokens' && at === blocks.length - 1))
  const dropped = blocks.flatMap((block): IgnoredCall[] =>
    failed && block.type === 'call' ? [{ name: block.name, reason: 'incomplete' }] : [],
  )
  const ignored = [...collected.ignored, ...dropped]
  if (failed) return { parts, ignored }
  const { sources, files } = extras
  return {
    parts,
    ignored,
    ...(sources.length > 0 && { sources }),
    ...(files.length > 0 && { made: files.map((file) => madeBy(file, model)) }),
    ...(remembers.length > 0 && { remembers }),
  }
}

function madeBy({ meta, ...file }: Made, model: Model): NonNullable<TurnResult['made']>[number] {
  const data = plain(meta)
  return { ...file, ...(data !== undefined && { meta: { of: modelName(model), data } }) }
}

/** `cut`: the answer hit its length limit here, so empty arguments may be incomplete ones. */
function partOf(block: Block, model: Model, cut: boolean): AssistantPart {
  const data = plain(block.meta)
  const meta = { of: modelName(model), ...(data !== undefined && { data }) }
  if (block.type === 'text') return { type: 'text', text: block.text, ...(data !== undefined && { meta }) }
  if (block.type === 'reasoning') return { type: 'reasoning', text: block.text, meta }
  const parsed = parseArgs(block.raw)
  const input = cut && Object.keys(parsed ?? {}).length === 0 ? undefined : parsed
  return {
    type: 'tool_use',
    id: block.callId,
    name: block.name,
    input: input ?? {},
    ...(input === undefined && { raw: block.raw.toWellFormed() }),
    providerId: block.providerId,
    ...(data !== undefined && { meta }),
  }
}

/** Keeps the provider's data as far as it is valid JSON. */
function plain(meta: unknown): Json | undefined {
  if (meta === undefined) return undefined
  try {
    return JSON.parse(JSON.stringify(meta)) as Json
  } catch {
    return undefined
  }
}
