import { escaped, percentBegun, percentPattern, spellings } from './spellings.ts'

/** Shorter words are no secrets, and would be found everywhere. */
const SHORTEST = 8
const GONE = '[REDACTED]'

/** Takes secrets out of a text. */
export interface Redactor {
  (text: string): string
  /** How many characters at the end may be the beginning of a secret: who has a text in pieces waits with them. */
  begun(text: string): number
}

/** Takes the given secrets out of texts, wherever they stand and in all usual encodings. */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  const long = [...new Set(secrets)].filter((secret) => secret !== undefined && secret.length >= SHORTEST) as string[]
  const known = [...new Set(long.flatMap(spellings))]
  if (known.length === 0) return Object.assign((text: string) => text, { begun: () => 0 })
  const plain = anyOf(known.map(escaped))
  const inPercent = anyOf(long.map(percentPattern))

  function redact(text: string): string {
    const redacted = text.replace(plain, GONE)
    return redacted.includes('%') ? redacted.replace(inPercent, GONE) : redacted
  }
  function begun(text: string): number {
    const most = Math.max(...known.map((secret) => overlap(text, secret)))
    return Math.max(most, ...long.map((secret) => percentBegun(text, secret)))
  }
  return Object.assign(redact, { begun })
}

/** The longest first: one secret may begin like another. */
const anyOf = (patterns: readonly string[]): RegExp =>
  new RegExp([...patterns].sort((a, b) => b.length - a.length).join('|'), 'g')

/** The longest end of a text that is the beginning, but not all, of a secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}
