import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { CHARS_PER_TOKEN, fileTokens } from '../../lib/token-guess.ts'
import type { Model } from '../model.ts'
import { render, type ModelRequest } from '../render/render.ts'
import { highestCost } from './cost.ts'
import { countInSlabs, tokenFactor } from './estimate.ts'

/** The most a call can use: everything sent and the longest answer; `cost` is undefined without a price. */
export interface MaxUsage {
  readonly tokens: number
  readonly cost: number | undefined
}

/** Providers add their own tokens around each message. */
const MARGIN = 1.1
const WRAPPING = 200
/** Claude, and perhaps others, gets some text about tools besides their definitions. */
const TOOL_WRAPPING = 600

/** Counted from the rendered request, so that nothing is left out. */
export async function maxUsage(request: ModelRequest, model: Model): Promise<MaxUsage> {
  const sent = render(request, model, 1, new AbortController().signal)
  const counted = await countInSlabs(sentTexts(sent), tokenFactor(model))
  const wrapping = WRAPPING + (sent.tools && tokenFactor(model) > 1 ? TOOL_WRAPPING : 0)
  return maxUsageOf(model, Math.ceil(counted * MARGIN) + wrapping)
}

/** The most that so many tokens and the longest answer can cost, whatever the provider caches. */
export function maxUsageOf({ prices, maxOutput }: Pick<Model, 'prices' | 'maxOutput'>, input: number): MaxUsage {
  const tokens = input + maxOutput
  if (!prices) return { tokens, cost: undefined }
  return { tokens, cost: highestCost({ input, output: maxOutput }, prices) }
}

type Content = Exclude<LanguageModelV4Prompt[number]['content'], string>[number]

/** All texts of a request; files as their number of tokens. */
function* sentTexts({ prompt, tools = [], responseFormat }: LanguageModelV4CallOptions): Iterable<string | number> {
  for (const { content } of prompt) {
    if (typeof content === 'string') yield content
    else for (const part of content) yield* partTexts(part)
  }
  for (const tool of tools) yield JSON.stringify(tool)
  if (responseFormat) yield JSON.stringify(responseFormat)
}

function* partTexts(part: Content): Iterable<string | number> {
  // Encrypted reasoning is no longer than its text.
  if (part.providerOptions) yield Math.ceil(JSON.stringify(part.providerOptions).length / CHARS_PER_TOKEN)
  switch (part.type) {
    case 'text':
    case 'reasoning':
      yield part.text
      return
    case 'file':
      yield sizeOf(part)
      return
    case 'tool-call':
      yield part.toolName + JSON.stringify(part.input)
      return
    case 'tool-result':
      if (part.output.type !== 'content') yield JSON.stringify(part.output)
      else for (const one of part.output.value) yield one.type === 'text' ? one.text : sizeOf(one as Sized)
      return
    case 'tool-approval-response':
    case 'custom':
    case 'reasoning-file':
      yield JSON.stringify(part)
  }
}

type Sized = Pick<Extract<Content, { type: 'file' }>, 'mediaType' | 'data'>

function sizeOf({ mediaType, data }: Sized): number {
  const bytes = data.type === 'data' ? data.data.length : 0
  return fileTokens({ mediaType, bytes })
}
