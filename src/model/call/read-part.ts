import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** Provider-specific data of a part, by provider. */
export type Meta = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A package that looks names up in a plain object may return `constructor` and the like. */
export const nameOf = (name: unknown): string => (typeof name === 'string' ? name : 'unknown')

/** Content of the model, as opposed to what keeps a connection alive. */
export const isContent = (part: LanguageModelV4StreamPart): boolean =>
  'delta' in part ? part.delta !== '' : part.type === 'tool-call' || part.type === 'tool-input-start'

/** What providers want back with words they said. */
const WITH_WORDS = ['phase', 'thoughtSignature']

/** The metadata of a text that its provider wants back; most of it only describes. */
export function metaOfText(meta: Meta | undefined): Meta | undefined {
  const wanted = Object.entries(meta ?? {}).flatMap(([provider, values]) => {
    const kept = Object.entries(values).filter(
      ([name, value]) => WITH_WORDS.includes(name) && typeof value === 'string',
    )
    return kept.length > 0 ? [[provider, Object.fromEntries(kept)] as const] : []
  })
  return wanted.length > 0 ? Object.fromEntries(wanted) : undefined
}

/** Some signatures come without words. */
export const isSigned = (meta: Meta | undefined): boolean =>
  Object.values(meta ?? {}).some((values) => 'thoughtSignature' in values)

/** Ids and the like come with every part, and are short. */
const SHORT_CHARS = 1000

/** The characters of long texts in metadata, such as signatures. */
export function longChars(value: unknown): number {
  if (typeof value === 'string') return value.length > SHORT_CHARS ? value.length : 0
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, inner) => sum + longChars(inner), 0)
}

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
