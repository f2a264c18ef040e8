/** Shorter words are no secrets, and would be found everywhere. */
const SHORTEST = 8

/** Takes secrets out of a text. */
export interface Redactor {
  (text: string): string
  /** How many characters at the end may be the beginning of a secret: who has a text in pieces waits with them. */
  begun(text: string): number
}

/** Takes the given secrets out of texts, wherever they stand. */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  const long = secrets.filter((secret) => secret !== undefined && secret.length >= SHORTEST) as string[]
  // As they are, and as JSON writes them.
  const known = [...new Set(long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
  if (known.length === 0) return Object.assign((text: string) => text, { begun: () => 0 })
  // The longest first: one secret may begin like another.
  const escaped = known
    .sort((a, b) => b.length - a.length)
    .map((secret) => secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  const pattern = new RegExp(escaped.join('|'), 'g')
  return Object.assign((text: string) => text.replace(pattern, '[REDACTED]'), {
    begun: (text: string) => Math.max(...known.map((secret) => overlap(text, secret))),
  })
}

/** The longest end of a text that is the beginning, but not all, of a secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}
