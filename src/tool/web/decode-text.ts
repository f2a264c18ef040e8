import { TextDecoder } from 'node:util'
import { utf8Text } from '../utf8-text.ts'

/** HTML and XML name their encoding within these bytes. */
const NAMED_WITHIN = 1024
const IN_HEADER = /;\s*charset\s*=\s*"?([^\s";]+)/i
const IN_DOCUMENT =
  /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w:.-]{1,60})|^\s{0,99}<\?xml[^>]{0,100}?encoding\s{0,9}=\s{0,9}["']([\w:.-]{1,60})/i

/**
 * The text of a body; undefined if it is no text. Its encoding is that of its byte order mark, else of its header, else
 * of the document, else UTF-8 or windows-1252. `isCut`: it may end within a character.
 */
export function decodeText(bytes: Uint8Array, contentType: string, isCut = false): string | undefined {
  const label = bomOf(bytes) ?? IN_HEADER.exec(contentType)?.[1] ?? namedIn(bytes)
  const usual = utf8Text(bytes, isCut) === undefined ? 'windows-1252' : 'utf-8'
  const text = (decoderFor(label) ?? new TextDecoder(usual)).decode(bytes)
  return text.includes('\0') ? undefined : text
}

function bomOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined
}

function namedIn(bytes: Uint8Array): string | undefined {
  const found = IN_DOCUMENT.exec(Buffer.from(bytes.subarray(0, NAMED_WITHIN)).toString('latin1'))
  const label = found?.[1] ?? found?.[2]
  // The label was readable as single bytes, so it cannot be UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label)
  } catch {
    return undefined
  }
}
