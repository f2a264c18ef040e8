const MOST_CHARS = 500
/** What is looked at: redacting shortens, and a novel need not be read to its end. */
const MOST_READ = 4000

/** In this order: what stands in quotes goes whole, then what could name a person or open a door. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/"[^"]*(?:"|$)|`[^`]*(?:`|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$)|‘[^’]*(?:’|$)|'[^']*'/g, '[quoted]'],
  [/[a-z][a-z0-9+.-]{0,20}:\/\/\S{1,4000}/gi, '[url]'],
  [/\bwww\.\S+/gi, '[url]'],
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu, '[email]'],
  [/[\p{L}\p{N}_+/=.~-]{20,}/gu, '[token]'],
]

/** The words of an error without what it quotes: no quoted text, address, e-mail or long token, and not much of it. */
export function redactError(text: string): string {
  let redacted = text.slice(0, MOST_READ)
  for (const [pattern, instead] of REPLACED) redacted = redacted.replace(pattern, instead)
  return redacted.slice(0, MOST_CHARS).toWellFormed()
}
