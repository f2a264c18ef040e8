import type { Part } from '../contract/prompt.ts'
import { sha256 } from '../lib/hash.ts'

/** A text with its hash; with a salt, the hash tells nothing about the text once both are erased. */
export function partOf(layer: Part['layer'], id: string, text: string, more: PartDetails = {}): Part {
  const { version, owner, salt } = more
  return {
    layer,
    id,
    ...(version !== undefined && { version }),
    hash: sha256(`${salt ?? ''}${text}`),
    text,
    ...(owner !== undefined && { owner }),
    ...(salt !== undefined && { salt }),
  }
}

interface PartDetails {
  readonly version?: number
  readonly owner?: string
  readonly salt?: string
}
