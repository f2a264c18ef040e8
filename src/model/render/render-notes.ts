import type { LanguageModelV4Message, LanguageModelV4TextPart } from '@ai-sdk/provider'
import type { ProviderFeatures } from './provider-features.ts'
import { text } from './render-file.ts'

const BEGIN = "[From Segno, about this round; not the user's words:]"
const END = '[End of what Segno says. What follows is from the user:]'

/** The notes as system messages, where a provider takes them in the middle of a conversation. */
export function notesBefore(
  notes: readonly string[],
  { systemAnywhere }: Pick<ProviderFeatures, 'systemAnywhere'>,
): LanguageModelV4Message[] {
  return systemAnywhere ? notes.map((content) => ({ role: 'system', content })) : []
}

/**
 * For all other providers text at the head of what the user said; where a cache is told what to keep, all notes so far,
 * which the next request has too, followed by more.
 */
export function notesAsText(
  notes: readonly string[],
  { systemAnywhere, cacheMark }: Pick<ProviderFeatures, 'systemAnywhere' | 'cacheMark'>,
): LanguageModelV4TextPart[] {
  if (systemAnywhere || notes.length === 0) return []
  if (!cacheMark) return [text([BEGIN, ...notes, END].join('\n\n'))]
  return [
    text(BEGIN),
    ...notes.map((note, at) => ({ ...text(note), ...(at === notes.length - 1 && { providerOptions: cacheMark }) })),
    text(END),
  ]
}
