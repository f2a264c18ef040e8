import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { JsonSchema } from '../../contract/tool.ts'
import { renderMessages } from './render-messages.ts'

/** The request of `/api/chat`, with the options that `render` sets. */
export function chatBody(model: string, window: number, options: LanguageModelV4CallOptions) {
  // Ollama cannot be told not to use tools, so none are offered.
  const offered = options.toolChoice?.type === 'none' ? [] : (options.tools ?? [])
  const tools = offered.filter((tool) => tool.type === 'function')
  const think = thinkOf(model, options.reasoning)
  const { responseFormat } = options
  return {
    model,
    messages: renderMessages(options.prompt),
    stream: true,
    // Otherwise a prompt or answer that does not fit silently loses its beginning.
    truncate: false,
    shift: false,
    options: { num_ctx: window, num_predict: options.maxOutputTokens, temperature: options.temperature },
    ...(tools.length > 0 && { tools: tools.map(renderTool) }),
    ...(think !== undefined && { think }),
    ...(responseFormat?.type === 'json' && { format: responseFormat.schema as JsonSchema }),
  }
}

function renderTool({ name, description, inputSchema }: LanguageModelV4FunctionTool) {
  const parameters = { type: 'object', properties: {}, ...(inputSchema as object) }
  return { type: 'function', function: { name, description, parameters } }
}

const LEVELS = { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' } as const

/** Most models can only switch thinking on or off, and refuse a level. */
function thinkOf(model: string, reasoning: LanguageModelV4CallOptions['reasoning']) {
  if (reasoning === undefined || reasoning === 'provider-default') return undefined
  if (reasoning === 'none') return false
  return model.includes('gpt-oss') ? LEVELS[reasoning] : true
}
