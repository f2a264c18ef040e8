import { setImmediate } from 'node:timers/promises'
import type { Message, Usage } from '../../contract/message.ts'
import type { Prompt } from '../../contract/prompt.ts'
import { CHARS_PER_TOKEN, fileTokens } from '../../lib/token-guess.ts'
import type { Block } from './collect.ts'
import type { Model } from '../model.ts'
import type { ModelRequest, OfferedTool } from '../render/render.ts'
import { loadTokenCounter } from './tokens.ts'

/**
 * Usage that never came (the stream was stopped or cut) is counted here, and marked. `hurry`: somebody waits for the end,
 * and a guess now is better than a count later.
 */
export async function estimateUsage(
  request: Pick<ModelRequest, 'prompt' | 'tools'>,
  blocks: readonly Block[],
  model: Pick<Model, 'provider'>,
  hurry: boolean,
): Promise<Usage> {
  const count = hurry ? guess : await loadTokenCounter()
  const said = blocks.map((block) => count(block.type === 'call' ? block.name + block.raw : block.text))
  const output = said.reduce((sum, tokens) => sum + tokens, 0)
  const input = hurry
    ? Math.ceil(countPrompt(request.prompt, request.tools, count) * moreThanCounted(model))
    : await promptTokens(request.prompt, request.tools, model, Infinity)
  return { input, output: Math.ceil(output * moreThanCounted(model)), estimated: true }
}

/**
 * What a prompt takes of the window of a model, as far as that can be known without asking its provider. It stops
 * counting once there are more than `enough`, and lets others go on meanwhile: a long text takes seconds.
 */
export async function promptTokens(
  prompt: Prompt,
  tools: readonly OfferedTool[],
  model: Pick<Model, 'provider'>,
  enough: number,
): Promise<number> {
  return countInSlabs(promptTexts(prompt, tools), moreThanCounted(model), enough)
}

/** The tokens of texts, and of what is a number of tokens already, times `more`. */
export async function countInSlabs(texts: Iterable<string | number>, more: number, enough = Infinity): Promise<number> {
  const count = await loadTokenCounter()
  let tokens = 0
  for (const text of slabs(texts)) {
    tokens += typeof text === 'number' ? text : count(text)
    if (tokens * more > enough) break
    if (typeof text !== 'number' && text.length === SLAB) await setImmediate()
  }
  return Math.ceil(tokens * more)
}

const SLAB = 10_000

/** In pieces that take milliseconds. */
function* slabs(texts: Iterable<string | number>): Iterable<string | number> {
  for (const text of texts) {
    if (typeof text === 'number') yield text
    else for (let at = 0; at < text.length; at += SLAB) yield text.slice(at, at + SLAB)
  }
}

/** Everything that is counted; files as their number of tokens. */
function* promptTexts(prompt: Prompt, tools: readonly OfferedTool[]): Iterable<string | number> {
  const texts: string[] = []
  const gather: Count = (text) => {
    texts.push(text)
    return 0
  }
  yield countPrompt(prompt, tools, gather)
  yield* texts
}

/** A prompt has at most so many tokens: none is shorter than a byte, and no character longer than three. */
export function mostPromptTokens(prompt: Prompt, tools: readonly OfferedTool[]): number {
  return countPrompt(prompt, tools, (text) => 3 * text.length)
}

function countPrompt({ layers, messages }: Prompt, tools: readonly OfferedTool[], count: Count): number {
  let tokens = 0
  for (const layer of layers) tokens += count(layer.text)
  for (const { content } of messages) for (const part of content) tokens += partTokens(part, count)
  for (const tool of tools) tokens += toolTokens(tool, count)
  return tokens
}

/** Tokens are counted as OpenAI's models have them; Claude needs up to a third more for the same text. */
export const moreThanCounted = ({ provider }: Pick<Model, 'provider'>): number =>
  /^anthropic\b/.test(provider) ? 1.3 : 1

function partTokens(part: Message['content'][number], count: Count): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return count(part.text)
    case 'tool_use':
      return count(part.name) + count(part.raw ?? JSON.stringify(part.input))
    case 'tool_result':
      return (part.files ?? []).reduce((sum, file) => sum + fileTokens(file), count(part.content))
    case 'file':
      return fileTokens(part)
  }
}

type Count = (text: string) => number
const guess: Count = (text) => Math.ceil(text.length / CHARS_PER_TOKEN)
const written = new WeakMap<object, string>()

/** A definition does not change, and is written down once. */
function toolTokens({ name, description, jsonSchema }: OfferedTool, count: Count): number {
  let schema = written.get(jsonSchema)
  if (schema === undefined) written.set(jsonSchema, (schema = JSON.stringify(jsonSchema)))
  return count(name) + count(description) + count(schema)
}
