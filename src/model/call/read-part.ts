import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** Provider-specific data of a part, by provider. */
export type Meta = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A package that looks names up in a plain object may return `constructor` and the like. */
export const nameOf = (name: unknown): string => (typeof name === 'string' ? name : 'unknown')

/** Content of the model, as opposed to what keeps a connection alive. */
export const isContent = (part: LanguageModelV4StreamPart): boolean =>
  'delta' in part ? part.delta !== '' : part.type === 'tool-call' || part.type === 'tool-input-start'

/** Merges metadata of the same part; empty values do not replace earlier ones. */
export function merged(before: Meta | undefined, more: Meta): Meta {
  if (!before) return more
  const all = { ...before }
  for (const [provider, values] of Object.entries(more)) {
    const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
    all[provider] = { ...all[provider], ...Object.fromEntries(known) }
  }
  return all
}
