import type { LanguageModelV4Message, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { Json, MadeFile, Message, ProviderMeta } from '../../contract/message.ts'
import { isObject } from '../../lib/type-guards.ts'
import type { ProviderFeatures } from './provider-features.ts'
import { labelOf, renderFile, text, type Files } from './render-file.ts'

type Answer = Extract<Message, { role: 'assistant' }>['content']
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

/** Nothing was thought, where a provider wants something. */
const NO_THOUGHT = ' '

/** An answer for the model named `me`, which gets its own thoughts back; undefined: none. */
export function renderAnswer(
  answer: Answer,
  me: string | undefined,
  features: ProviderFeatures,
  files: Files,
): LanguageModelV4Message[] {
  const parts = withoutLastThoughts(answer)
  const content = parts.flatMap((part) => renderPart(part, me, features, files))
  if (content.length === 0) return []
  const calls = content.some(({ type }) => type === 'tool-call')
  if (features.wantsThoughts && calls && !content.some(({ type }) => type === 'reasoning'))
    content.unshift({ type: 'reasoning', text: NO_THOUGHT })
  return [{ role: 'assistant', content, ...(features.thoughtsInDetails && detailsOf(parts, me)) }]
}

/** A thought that led to nothing was cut off, or is refused by providers that want something after it. */
function withoutLastThoughts(answer: Answer): Answer {
  if (!answer.some((part) => part.type === 'reasoning')) return answer
  const end = answer.findLastIndex((part) => part.type !== 'reasoning' && (part.type !== 'text' || part.text !== ''))
  return answer.filter((part, at) => part.type !== 'reasoning' || at < end)
}

/** A model gets back all its own thoughts in every request, so that each request begins with the one before. */
function renderPart(
  part: Answer[number],
  me: string | undefined,
  features: ProviderFeatures,
  files: Files,
): AssistantContent {
  switch (part.type) {
    case 'text': {
      const options = providerOptionsOf(part.meta, me)
      return part.text.trim() === '' && !options.providerOptions ? [] : [{ ...text(part.text), ...options }]
    }
    case 'reasoning':
      if (!isOf(part.meta, me) || features.refusesThoughts || features.thoughtsInDetails) return []
      return [{ type: 'reasoning', text: part.text, ...providerOptionsOf(part.meta, me) }]
    case 'tool_use':
      return [
        {
          type: 'tool-call',
          toolCallId: callIdFor(part.id, features),
          toolName: toolName(part.name),
          input: part.input,
          ...providerOptionsOf(part.meta, me),
        },
      ]
    case 'file':
      return [renderMade(part, me, features, files)]
  }
}

function renderMade(
  part: MadeFile,
  me: string | undefined,
  features: ProviderFeatures,
  files: Files,
): AssistantContent[number] {
  const shown = renderFile(part, features, files)
  if (!features.filesInAnswers || shown.type === 'text') return text(`[${labelOf(part)} was made here]`)
  return { ...shown, ...providerOptionsOf(part.meta, me) }
}

export const callIdFor = (id: string, { callId }: ProviderFeatures): string => callId?.(id) ?? id

/** Packages look names up in plain objects, so names of Object.prototype are changed. */
export const toolName = (name: string): string => (name in Object.prototype ? `${name}_` : name)

export const isOf = (meta: ProviderMeta | undefined, me: string | undefined): boolean =>
  meta !== undefined && meta.of === me

function providerOptionsOf(
  meta: ProviderMeta | undefined,
  me: string | undefined,
): { providerOptions?: SharedV4ProviderOptions } {
  return meta?.data && isOf(meta, me) ? { providerOptions: meta.data as SharedV4ProviderOptions } : {}
}

/** The thoughts as the list that came with them. */
function detailsOf(parts: Answer, me: string | undefined): { providerOptions?: SharedV4ProviderOptions } {
  const details = parts.flatMap((part) => (part.type === 'reasoning' && isOf(part.meta, me) ? listOf(part.meta) : []))
  return details.length > 0 ? { providerOptions: { openaiCompatible: { reasoning_details: details } } } : {}
}

function listOf(meta: ProviderMeta | undefined): readonly Json[] {
  const data = isObject(meta?.data) ? meta.data['openrouter'] : undefined
  const details = isObject(data) ? data['reasoning_details'] : undefined
  return Array.isArray(details) ? (details as readonly Json[]) : []
}
