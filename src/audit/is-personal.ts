import type { Json } from '../contract/message.ts'

const PERSONAL = ['password', 'secret', 'credential', 'email', 'phone', 'address', 'ssn', 'card', 'key']
const plural = (word: string): string => (word.endsWith('s') ? `${word}es` : `${word}s`)
const singular = new Map([...PERSONAL, 'token'].flatMap((word) => [[word, word] as const, [plural(word), word]]))

/** Names that only look personal. */
const HARMLESS: ReadonlySet<string> = new Set([
  'ip address',
  'mac address',
  'public key',
  'primary key',
  'sort key',
  'cache key',
  'idempotency key',
])

/** A quick test for names that may be personal. */
const CANDIDATE = new RegExp(`(?:${[...singular.keys()].join('|')})[^\\p{L}\\p{N}]*$`, 'iu')

/** Whether the last word of a field's name suggests personal data or a secret. */
export function isPersonal(name: string, value: Json | undefined): boolean {
  if (!CANDIDATE.test(name)) return false
  const words = wordsOf(name)
  const last = singular.get(words.pop() ?? '')
  if (last === undefined || HARMLESS.has([...words, last].join(' '))) return false
  return last !== 'token' || typeof value === 'string'
}

/** Splits at case changes and punctuation: `HTTPAddress_v2` is http, address, v2. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
