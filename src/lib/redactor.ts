/** Shorter words are no secrets, and would be found everywhere. */
const SHORTEST = 8

/** Takes the given secrets out of texts, wherever they stand. */
export function createRedactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret !== undefined && secret.length >= SHORTEST) as string[]
  if (known.length === 0) return (text) => text
  // The longest first: one secret may begin like another.
  const escaped = known
    .sort((a, b) => b.length - a.length)
    .map((secret) => secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  const pattern = new RegExp(escaped.join('|'), 'g')
  return (text) => text.replace(pattern, '[REDACTED]')
}
