/** UTF-8 bytes without NUL as text; undefined for anything else. `isCut`: they may end within a character. */
export function utf8Text(bytes: Uint8Array, isCut = false): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
