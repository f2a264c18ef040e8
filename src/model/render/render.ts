import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Layer, Prompt } from '../../contract/prompt.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import type { Model } from '../model.ts'
import { renderMessages } from './render-messages.ts'
import { featuresOf, type ProviderFeatures } from './provider-features.ts'

export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly jsonSchema: JsonSchema
}

export interface ModelRequest {
  readonly prompt: Prompt
  readonly tools: readonly OfferedTool[]
  /** false in the last call of a round: tools are described, so that earlier calls make sense, but may not be used */
  readonly mayUseTools: boolean
  readonly sessionId: string
  readonly requestId: string
  /** the bytes of files in the prompt, by hash */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Names the model whose provider data may be sent back. */
export const modelName = ({ provider, modelId }: Pick<Model, 'provider' | 'modelId'>): string =>
  `${provider}:${modelId}`

/** Renders a request for the provider interface; `call` is the number of this model call in its round. */
export function render(
  request: ModelRequest,
  model: Omit<Model, 'language'>,
  call: number,
  signal: AbortSignal,
): LanguageModelV4CallOptions {
  const { tools, prompt } = request
  const features = featuresOf(model)
  const { messages, canThink } = renderMessages(prompt.messages, modelName(model), features, request.files)
  const mayThink = canThink || !features.needsOwnReasoning
  const effort = mayThink || model.effort === 'none' ? model.effort : undefined
  const thoughtTokens = effort && features.thoughtTokens?.(model.modelId, effort, model.maxOutput)
  return {
    prompt: [...renderLayers(prompt.layers, features), ...marked(messages, features)],
    maxOutputTokens: model.maxOutput - (thoughtTokens ?? 0),
    ...(model.temperature !== undefined && { temperature: model.temperature }),
    ...(effort !== undefined && { reasoning: effort }),
    ...(tools.length > 0 && {
      tools: renderTools(tools),
      toolChoice: { type: request.mayUseTools ? ('auto' as const) : ('none' as const) },
    }),
    ...(tools.length === 0 && features.wantsTools && hasCalls(messages) && NO_TOOL),
    abortSignal: signal,
    providerOptions: {
      ...features.options?.(request.sessionId, model, thoughtTokens),
      segno: { requestId: request.requestId, call },
    },
  }
}

/** A placeholder for providers that require a tool when earlier messages have calls. */
const NO_TOOL = {
  tools: [
    {
      type: 'function' as const,
      name: 'none',
      description: 'There are no tools now.',
      inputSchema: { type: 'object' as const, properties: {} },
    },
  ],
  toolChoice: { type: 'none' as const },
}

const hasCalls = (messages: LanguageModelV4Prompt): boolean => messages.some(({ role }) => role === 'tool')

/** Layers that change every turn come after the cached prefix. */
const CHANGING = new Set(['result', 'notice'])

function renderLayers(
  layers: readonly Layer[],
  { oneSystemMessage, cacheMark }: ProviderFeatures,
): LanguageModelV4Message[] {
  if (oneSystemMessage) return [{ role: 'system', content: layers.map((layer) => layer.text).join('\n\n') }]
  const changing = layers.findIndex((layer) => CHANGING.has(layer.name))
  const lastStable = (changing < 0 ? layers.length : changing) - 1
  return layers.map((layer, at) => ({
    role: 'system',
    content: layer.text,
    ...(cacheMark && at === lastStable && { providerOptions: cacheMark }),
  }))
}

/** The next turn begins with all of this one, so its end is a cache point. */
function marked(messages: LanguageModelV4Prompt, { cacheMark }: ProviderFeatures): LanguageModelV4Prompt {
  const last = messages.at(-1)
  return cacheMark && last ? [...messages.slice(0, -1), { ...last, providerOptions: cacheMark }] : messages
}

function renderTools(tools: readonly OfferedTool[]): NonNullable<LanguageModelV4CallOptions['tools']> {
  return tools.map(({ name, description, jsonSchema }) => ({
    type: 'function',
    name,
    description,
    // OpenAI refuses a schema without properties.
    inputSchema: 'properties' in jsonSchema ? jsonSchema : { properties: {}, ...jsonSchema },
  }))
}
