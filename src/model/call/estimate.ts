import { setImmediate } from 'node:timers/promises'
import type { Message, Usage } from '../../contract/message.ts'
import type { Prompt } from '../../contract/prompt.ts'
import { CHARS_PER_TOKEN, fileTokens } from '../../lib/token-guess.ts'
import type { Block } from './collect.ts'
import type { Model } from '../model.ts'
import { describedIn, type ModelRequest, type OfferedTool } from '../render/render.ts'
import { loadTokenCounter } from './tokens.ts'

/** Estimates usage that the provider did not report; with `hurry` it guesses instead of counting tokens. */
export async function estimateUsage(
  request: Pick<ModelRequest, 'prompt' | 'tools' | 'output'>,
  blocks: readonly Block[],
  model: Pick<Model, 'provider' | 'quirks'>,
  hurry: boolean,
): Promise<Usage> {
  const count = hurry ? guess : await loadTokenCounter()
  const said = blocks.map((block) => count(block.type === 'call' ? block.name + block.raw : block.text))
  const output = said.reduce((sum, tokens) => sum + tokens, 0)
  const input = hurry
    ? Math.ceil(countPrompt(request.prompt, describedIn(request), count) * tokenFactor(model))
    : await promptTokens(request.prompt, describedIn(request), model, Infinity)
  return { input, output: Math.ceil(output * tokenFactor(model)), estimated: true }
}

/**
 * The tokens of a prompt, as far as they can be known without the provider; stops counting beyond `enough`, and yields
 * to other work.
 */
export async function promptTokens(
  prompt: Prompt,
  tools: readonly OfferedTool[],
  model: Pick<Model, 'provider' | 'quirks'>,
  enough: number,
): Promise<number> {
  return countInSlabs(promptTexts(prompt, tools), tokenFactor(model), enough)
}

/** The tokens of texts, and numbers of tokens as they are, times `more`. */
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

/** All texts of a prompt; files as their number of tokens. */
function* promptTexts(prompt: Prompt, tools: readonly OfferedTool[]): Iterable<string | number> {
  const texts: string[] = []
  const gather: Count = (text) => {
    texts.push(text)
    return 0
  }
  yield countPrompt(prompt, tools, gather)
  yield* texts
}

/** An upper bound: no token is shorter than a byte, and no UTF-16 unit has more than three bytes. */
export function maxPromptTokens(prompt: Prompt, tools: readonly OfferedTool[]): number {
  return countPrompt(prompt, tools, (text) => 3 * text.length)
}

function countPrompt({ parts, messages, notes }: Prompt, tools: readonly OfferedTool[], count: Count): number {
  let tokens = 0
  for (const part of parts) tokens += count(part.text)
  for (const note of notes) tokens += count(note)
  for (const { content } of messages) for (const part of content) tokens += partTokens(part, count)
  for (const tool of tools) tokens += toolTokens(tool, count)
  return tokens
}

/** Everything is counted with OpenAI's tokenizer, and others need up to a third more. */
export const tokenFactor = ({ provider, quirks = provider }: Pick<Model, 'provider' | 'quirks'>): number =>
  OPENAI_COUNTS.test(quirks) ? 1 : 1.3

/** The scripted model too, because it stands for any. */
const OPENAI_COUNTS = /^(?:openai|openai-chat|scripted)(?:\.|$)/

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

/** Definitions do not change, so their JSON is cached. */
function toolTokens({ name, description, jsonSchema }: OfferedTool, count: Count): number {
  let schema = written.get(jsonSchema)
  if (schema === undefined) written.set(jsonSchema, (schema = JSON.stringify(jsonSchema)))
  return count(name) + count(description) + count(schema)
}
