import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { JsonSchema } from '../../contract/tool.ts'

/** How the model was told to answer, as JSON with the names that messages have for it. */
export function sentParams(options: LanguageModelV4CallOptions): string {
  const { reasoning: effort, temperature, maxOutputTokens: maxOutput, tools, toolChoice, responseFormat } = options
  return JSON.stringify({
    effort,
    temperature,
    maxOutput,
    tools: tools?.map(({ name }) => name),
    toolChoice: toolChoice?.type === 'tool' ? { tool: toolChoice.toolName } : toolChoice?.type,
    output: responseFormat?.type === 'json' ? { schema: responseFormat.schema as JsonSchema } : undefined,
  })
}
