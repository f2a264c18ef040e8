/** The ways programs write a secret: plain, in JSON, in hex and in base64. */
export function encodingsOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex')
  const words = [secret, JSON.stringify(secret).slice(1, -1), hex, hex.toUpperCase(), ...base64Of(Buffer.from(secret))]
  return [...new Set(words)]
}

/**
 * What every base64 text with these bytes contains, for each of the three alignments; characters that mix in
 * neighbouring bits are left out.
 */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const from = Math.ceil((8 * before) / 6)
    const inside = text.slice(from, Math.floor((8 * (before + bytes.length)) / 6))
    const atEnd = text.slice(from)
    return [inside, atEnd, atEnd.replaceAll('=', '')].flatMap((one) => [one, urlSafe(one)])
  })
}

const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_')

/** A pattern for a secret in which any characters may be percent-encoded. */
export function percentPattern(secret: string): string {
  return Array.from(secret, (character) => {
    const encoded = percent(character)
    const plain = character === ' ' ? '[ +]' : escaped(character)
    return `(?:${plain}|${encoded.replaceAll(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`)})`
  }).join('')
}

export const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

const percent = (character: string): string =>
  Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** How many characters at the end of a text may be the start of a percent-encoded secret. */
export function percentPartial(text: string, secret: string): number {
  const characters = Array.from(secret, (character) => [character, percent(character)] as const)
  const longest = characters.reduce((sum, [, encoded]) => sum + encoded.length, 0)
  const from = Math.max(0, text.length - longest + 1)
  for (let at = from; at < text.length; at++) if (isBegun(text, at, characters)) return text.length - at
  return 0
}

function isBegun(text: string, start: number, characters: readonly (readonly [string, string])[]): boolean {
  let at = start
  for (const [index, [character, encoded]] of characters.entries()) {
    const rest = text.slice(at, at + encoded.length).toUpperCase()
    if (rest.length < encoded.length && encoded.startsWith(rest)) return true
    if (rest === encoded) at += encoded.length
    else if (text.startsWith(character, at)) at += character.length
    else return false
    if (at === text.length) return index < characters.length - 1
  }
  return false
}
