import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Layer, Prompt } from '../../contract/prompt.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import type { Model } from '../model.ts'
import { renderMessages } from './render-messages.ts'
import { traitsOf, type Traits } from './traits.ts'

/** A tool as the model is told of it. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly jsonSchema: JsonSchema
}

export interface ModelRequest {
  readonly prompt: Prompt
  readonly tools: readonly OfferedTool[]
  /** false in the last call of a round: tools are described, so that old calls make sense, but may not be used */
  readonly mayUseTools: boolean
  readonly sessionId: string
  readonly requestId: string
  /** the bytes of the files the prompt names, by hash */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** The name under which what a model wants back is kept. */
export const modelName = ({ provider, modelId }: Pick<Model, 'provider' | 'modelId'>): string =>
  `${provider}:${modelId}`

/** Our prompt as the provider interface wants it. `call` is the number of this model call in its round. */
export function render(
  request: ModelRequest,
  model: Omit<Model, 'language'>,
  call: number,
  signal: AbortSignal,
): LanguageModelV4CallOptions {
  const { tools, prompt } = request
  const traits = traitsOf(model)
  const { messages, thinksOn } = renderMessages(prompt.messages, modelName(model), traits, request.files)
  const mayThink = thinksOn || !traits.thinksOnlyOn
  const effort = mayThink || model.effort === 'none' ? model.effort : undefined
  const thoughtTokens = effort && traits.thoughtTokens?.(model.modelId, effort, model.maxOutput)
  return {
    prompt: [...renderLayers(prompt.layers, traits), ...marked(messages, traits)],
    maxOutputTokens: model.maxOutput - (thoughtTokens ?? 0),
    ...(model.temperature !== undefined && { temperature: model.temperature }),
    ...(effort !== undefined && { reasoning: effort }),
    ...(tools.length > 0 && {
      tools: renderTools(tools),
      toolChoice: { type: request.mayUseTools ? ('auto' as const) : ('none' as const) },
    }),
    ...(tools.length === 0 && traits.wantsTools && hasCalls(messages) && NO_TOOL),
    abortSignal: signal,
    providerOptions: {
      ...traits.options?.(request.sessionId, model, thoughtTokens),
      segno: { requestId: request.requestId, call },
    },
  }
}

/** Nothing may be called any more, but something was. */
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

/** What changes from turn to turn stands behind what does not: a provider's cache holds up to there. */
const CHANGING = new Set(['result', 'notice'])

function renderLayers(layers: readonly Layer[], { oneSystemMessage, cacheMark }: Traits): LanguageModelV4Message[] {
  if (oneSystemMessage) return [{ role: 'system', content: layers.map((layer) => layer.text).join('\n\n') }]
  const changing = layers.findIndex((layer) => CHANGING.has(layer.name))
  const lastStable = (changing < 0 ? layers.length : changing) - 1
  return layers.map((layer, at) => ({
    role: 'system',
    content: layer.text,
    ...(cacheMark && at === lastStable && { providerOptions: cacheMark }),
  }))
}

/** The next turn begins with all of this one. */
function marked(messages: LanguageModelV4Prompt, { cacheMark }: Traits): LanguageModelV4Prompt {
  const last = messages.at(-1)
  return cacheMark && last ? [...messages.slice(0, -1), { ...last, providerOptions: cacheMark }] : messages
}

function renderTools(tools: readonly OfferedTool[]): NonNullable<LanguageModelV4CallOptions['tools']> {
  return tools.map(({ name, description, jsonSchema }) => ({
    type: 'function',
    name,
    description,
    // One without is a valid schema, and refused by OpenAI.
    inputSchema: 'properties' in jsonSchema ? jsonSchema : { properties: {}, ...jsonSchema },
  }))
}
