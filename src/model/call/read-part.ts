import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** What a provider says beside a part, by provider. */
export type Meta = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A package that looks names up in a plain object may find something that is no name: `constructor`, say. */
export const nameOf = (name: unknown): string => (typeof name === 'string' ? name : 'unknown')

/** Something the model said or did, not what keeps a connection alive. */
export const isContent = (part: LanguageModelV4StreamPart): boolean =>
  'delta' in part ? part.delta !== '' : part.type === 'tool-call' || part.type === 'tool-input-start'

/** What was said of the same part before and now; what is empty now stays as it was. */
export function merged(before: Meta | undefined, more: Meta): Meta {
  if (!before) return more
  const all = { ...before }
  for (const [provider, values] of Object.entries(more)) {
    const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
    all[provider] = { ...all[provider], ...Object.fromEntries(known) }
  }
  return all
}
