import type { LanguageModelV4Content, LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { ScriptedError } from './scripted-error.ts'

/** Collects a stream into one result. A stream that errors or ends without a finish throws, as a broken request does. */
export async function generate(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  let written = ''
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'finish') {
      return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] }
    }
    if (part.type === 'reasoning-delta' || part.type === 'text-delta') written += part.delta
    else if (part.type === 'tool-call') content.push(part)
    else if (part.type === 'reasoning-end' || part.type === 'text-end') {
      content.push({ type: part.type === 'text-end' ? 'text' : 'reasoning', text: written })
      written = ''
    }
  }
  throw new ScriptedError('The script cuts the answer')
}
