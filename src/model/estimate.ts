import type { Usage } from '../contract/message.ts'
import type { Block } from './collect.ts'
import type { ModelRequest } from './render.ts'
import { loadTokenCounter } from './tokens.ts'

/** Usage that never came (the stream was stopped or cut) is counted here, and marked. */
export async function estimateUsage(request: ModelRequest, blocks: readonly Block[]): Promise<Usage> {
  const count = await loadTokenCounter()
  let input = 0
  for (const layer of request.prompt.layers) input += count(layer.text)
  for (const { content } of request.prompt.messages) {
    for (const part of content) {
      if ('text' in part) input += count(part.text)
      else if (part.type === 'tool_result') input += count(part.content)
      else if (part.type === 'tool_use') input += count(part.name) + count(part.raw ?? JSON.stringify(part.input))
    }
  }
  for (const tool of request.tools) input += toolTokens(tool, count)
  let output = 0
  for (const block of blocks) output += count(block.type === 'call' ? block.name + block.raw : block.text)
  return { input, output, estimated: true }
}

const counted = new WeakMap<object, number>()

/** A definition does not change, and is counted once. */
export function toolTokens(tool: ModelRequest['tools'][number], count: (text: string) => number): number {
  let tokens = counted.get(tool.jsonSchema)
  if (tokens === undefined) {
    tokens = count(tool.name) + count(tool.description) + count(JSON.stringify(tool.jsonSchema))
    counted.set(tool.jsonSchema, tokens)
  }
  return tokens
}
