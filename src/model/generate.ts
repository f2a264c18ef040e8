import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'

/** A whole answer from its parts. One that failed is thrown, and `cut` for one without an end. */
export async function generate(
  { stream, request }: LanguageModelV4StreamResult,
  cut: Error,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  let warnings: LanguageModelV4GenerateResult['warnings'] = []
  let written = ''
  for await (const part of stream) {
    switch (part.type) {
      case 'stream-start':
        warnings = part.warnings
        break
      case 'text-delta':
      case 'reasoning-delta':
        written += part.delta
        break
      case 'text-end':
      case 'reasoning-end':
        content.push({ type: part.type === 'text-end' ? 'text' : 'reasoning', text: written })
        written = ''
        break
      case 'tool-call':
        content.push(part)
        break
      case 'error':
        throw part.error
      case 'finish':
        return { content, warnings, finishReason: part.finishReason, usage: part.usage, ...(request && { request }) }
      default:
        break
    }
  }
  throw cut
}
