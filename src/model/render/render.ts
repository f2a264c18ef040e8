import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { Purpose } from '../../contract/event.ts'
import type { ForcedChoice } from '../../contract/model-params.ts'
import type { Part, Prompt } from '../../contract/prompt.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import type { Model } from '../model.ts'
import { capabilitiesOf } from '../registry/capabilities.ts'
import { markStable } from './mark-stable.ts'
import { renderMessages } from './render-messages.ts'
import { featuresOf, type ProviderFeatures } from './provider-features.ts'
import { withoutTools } from './without-tools.ts'

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
  /** which it has to call, or any of them; only where it may use tools */
  readonly toolChoice?: ForcedChoice
  /** what the provider is to hold the answer to */
  readonly output?: JsonSchema
  readonly sessionId: string
  readonly requestId: string
  /** the bytes of files in the prompt, by hash */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** the event of the last answer whose thoughts the provider refused, which are not sent any more; true: all */
  readonly withoutThoughts?: string | true
  /** what Segno itself asks for; the scripted model is told */
  readonly purpose?: Purpose
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
  const { prompt } = request
  const can = capabilitiesOf(model)
  const tools = can.tools ? request.tools : []
  const features = featuresOf(model)
  const me = { name: modelName(model), refused: request.withoutThoughts }
  const { messages: all, asked, canThink } = renderMessages(prompt, me, features, request.files)
  const messages = can.tools ? all : withoutTools(all)
  const mayThink = canThink || !features.needsOwnReasoning
  const effort = can.reasoning && (mayThink || model.effort === 'none') ? model.effort : undefined
  const thoughtTokens = effort && features.thoughtTokens?.(model.modelId, effort, model.maxOutput)
  return {
    prompt: [
      ...renderParts(prompt.parts, features),
      ...markStable(messages, asked, prompt.notes.length > 0, features.cacheMark),
    ],
    maxOutputTokens: model.maxOutput - (thoughtTokens ?? 0),
    ...(model.temperature !== undefined && can.takesTemperature && { temperature: model.temperature }),
    ...(effort !== undefined && { reasoning: effort }),
    ...(tools.length > 0 && {
      tools: renderTools(tools, features),
      toolChoice: choiceOf(request),
    }),
    ...(tools.length === 0 && features.wantsTools && hasCalls(messages) && NO_TOOL),
    ...(features.needsRaw?.(model.modelId) && { includeRawChunks: true }),
    ...(request.output && { responseFormat: { type: 'json' as const, schema: request.output } }),
    abortSignal: signal,
    providerOptions: {
      ...joined(
        features.options?.(request.sessionId, model, thoughtTokens),
        request.output ? features.schemaOptions : undefined,
      ),
      segno: { requestId: request.requestId, call, ...(request.purpose && { purpose: request.purpose }) },
    },
  }
}

function choiceOf({ mayUseTools, toolChoice }: ModelRequest): NonNullable<LanguageModelV4CallOptions['toolChoice']> {
  if (!mayUseTools) return { type: 'none' }
  if (typeof toolChoice === 'object') return { type: 'tool', toolName: toolChoice.tool }
  return { type: toolChoice ?? 'auto' }
}

/** What a request describes besides its prompt, the schema of the answer like a tool. */
export const describedIn = ({ tools, output }: Pick<ModelRequest, 'tools' | 'output'>): readonly OfferedTool[] =>
  output ? [...tools, { name: 'output', description: '', jsonSchema: output }] : tools

/** Options of providers, each with those of both. */
function joined(one: SharedV4ProviderOptions = {}, other: SharedV4ProviderOptions = {}): SharedV4ProviderOptions {
  const more = Object.entries(other).map(([name, options]) => [name, { ...one[name], ...options }] as const)
  return { ...one, ...Object.fromEntries(more) }
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

function renderParts(
  parts: readonly Part[],
  { oneSystemMessage, cacheMark }: ProviderFeatures,
): LanguageModelV4Message[] {
  if (parts.length === 0) return []
  if (oneSystemMessage) return [{ role: 'system', content: parts.map(({ text }) => text).join('\n\n') }]
  return parts.map(({ text }, at) => ({
    role: 'system',
    content: text,
    ...(cacheMark && at === parts.length - 1 && { providerOptions: cacheMark }),
  }))
}

function renderTools(
  tools: readonly OfferedTool[],
  { cacheMark }: ProviderFeatures,
): NonNullable<LanguageModelV4CallOptions['tools']> {
  return tools.map(({ name, description, jsonSchema }, at) => ({
    type: 'function',
    name,
    description,
    // OpenAI refuses a schema without properties.
    inputSchema: 'properties' in jsonSchema ? jsonSchema : { properties: {}, ...jsonSchema },
    ...(cacheMark && at === tools.length - 1 && { providerOptions: cacheMark }),
  }))
}
