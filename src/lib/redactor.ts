import { escaped, percentPartial, percentPattern, encodingsOf } from './secret-encodings.ts'

/** Shorter texts are no secrets and would match everywhere. */
const SHORTEST = 8
const REDACTED = '[REDACTED]'

export interface Redactor {
  (text: string): string
  /** How many characters at the end may be the start of a secret; streamed text must hold them back. */
  begun(text: string): number
}

/** Removes the given secrets from texts, in all usual encodings. */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  const long = [...new Set(secrets)].filter((secret) => secret !== undefined && secret.length >= SHORTEST) as string[]
  const known = [...new Set(long.flatMap(encodingsOf))]
  if (known.length === 0) return Object.assign((text: string) => text, { begun: () => 0 })
  const plain = anyOf(known.map(escaped))
  const inPercent = anyOf(long.map(percentPattern))

  function redact(text: string): string {
    const redacted = text.replace(plain, REDACTED)
    return redacted.includes('%') ? redacted.replace(inPercent, REDACTED) : redacted
  }
  function begun(text: string): number {
    const most = Math.max(...known.map((secret) => overlap(text, secret)))
    return Math.max(most, ...long.map((secret) => percentPartial(text, secret)))
  }
  return Object.assign(redact, { begun })
}

/** Longest first, because one secret may start like another. */
const anyOf = (patterns: readonly string[]): RegExp =>
  new RegExp([...patterns].sort((a, b) => b.length - a.length).join('|'), 'g')

/** The longest end of a text that is the start of a secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}
