import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import type { FilePart } from '../../contract/message.ts'
import { betweenMarkers } from '../../lib/between-markers.ts'
import type { ProviderFeatures } from './provider-features.ts'

/** Bytes by hash. */
export type Files = ReadonlyMap<string, Uint8Array>

export const text = (words: string): LanguageModelV4TextPart => ({ type: 'text', text: words })

/** Text as text, accepted files as files; any other is only named, so that the model can say so. */
export function renderFile(
  file: FilePart,
  { accepts }: ProviderFeatures,
  files: Files,
): LanguageModelV4TextPart | LanguageModelV4FilePart {
  const { mediaType, name, hash } = file
  const data = files.get(hash)
  const label = labelOf(file)
  if (!data) return text(`[${label} is not shown any more]`)
  if (accepts.test(mediaType))
    return { type: 'file', mediaType, data: { type: 'data', data }, ...(name !== undefined && { filename: name }) }
  if (!mediaType.startsWith('text/')) return text(`[${label} cannot be shown to this model]`)
  return text(betweenMarkers(new TextDecoder().decode(data), hash, label))
}

export const labelOf = ({ mediaType, name, bytes }: FilePart): string =>
  `${name === undefined ? 'a file' : JSON.stringify(name)} (${mediaType}, ${bytes} bytes)`
