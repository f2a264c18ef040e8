import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, SharedV4Warning } from '@ai-sdk/provider'
import { renderMessages } from './render-messages.ts'

/** The request of `/api/chat`, and what of the options it cannot say. */
export function chatBody(model: string, window: number, options: LanguageModelV4CallOptions) {
  const warnings: SharedV4Warning[] = []
  const unsupported = (feature: string, details: string): void =>
    void warnings.push({ type: 'unsupported', feature, details })
  const choice = options.toolChoice?.type ?? 'auto'
  if (choice === 'required' || choice === 'tool') unsupported('toolChoice', 'Ollama leaves the choice to the model.')
  // There is no way to say that tools may not be used, so they are not mentioned.
  const tools = choice === 'none' ? [] : (options.tools ?? []).filter((tool) => tool.type === 'function')
  if (options.tools?.some((tool) => tool.type === 'provider'))
    unsupported('provider tools', 'Ollama has no tools of its own.')

  const think = thinkOf(model, options)
  const format = formatOf(options)
  const body = {
    model,
    messages: renderMessages(options.prompt),
    stream: true,
    // Without these a prompt or an answer that does not fit loses its beginning, and nobody is told.
    truncate: false,
    shift: false,
    options: {
      num_ctx: window,
      num_predict: options.maxOutputTokens,
      temperature: options.temperature,
      top_p: options.topP,
      top_k: options.topK,
      seed: options.seed,
      stop: options.stopSequences,
      presence_penalty: options.presencePenalty,
      frequency_penalty: options.frequencyPenalty,
    },
    ...(tools.length > 0 && { tools: tools.map(renderTool) }),
    ...(think !== undefined && { think }),
    ...(format !== undefined && { format }),
  }
  return { body, warnings }
}

function renderTool({ name, description, inputSchema }: LanguageModelV4FunctionTool) {
  const parameters = { type: 'object', properties: {}, ...(inputSchema as object) }
  return { type: 'function', function: { name, description, parameters } }
}

const LEVELS = { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' } as const

/** Most models can only be told to think or not to, and refuse a level. */
function thinkOf(model: string, { reasoning, providerOptions }: LanguageModelV4CallOptions) {
  const exact = providerOptions?.['ollama']?.['think']
  if (typeof exact === 'boolean' || typeof exact === 'string') return exact
  if (reasoning === undefined || reasoning === 'provider-default') return undefined
  if (reasoning === 'none') return false
  return model.includes('gpt-oss') ? LEVELS[reasoning] : true
}

function formatOf({ responseFormat }: LanguageModelV4CallOptions): unknown {
  return responseFormat?.type === 'json' ? ((responseFormat.schema as unknown) ?? 'json') : undefined
}
