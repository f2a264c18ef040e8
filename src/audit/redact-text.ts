import type { Json } from '../contract/message.ts'
import { REDACTED, redact } from './input-hash.ts'
import { withoutNamedKeys, withoutPrivateKeys, withoutWebTokens } from './redact-keys.ts'

const ANNOUNCED: readonly RegExp[] = [/\b(Bearer\s{1,4})[\w.~+/-]{8,}={0,2}/gi, /\b(Basic\s{1,4})[\w+/-]{16,}={0,2}/gi]

/** Secrets anywhere in a text; every repetition is bounded or cannot overlap. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, REDACTED],
  [/\bAIza[\w-]{35}/g, REDACTED],
  [
    /((?:password|passwd|secret|credential|token(?!s?["']?\s{0,4}[:=]\s{0,4}\d{1,9}\b)|api[_-]?key|access[_-]?key|private[_-]?key)s?["']?\s{0,4}[:=]\s{0,4})("[^"\n]{0,4096}"?|'[^'\n]{0,4096}'?|[^\s"',;&]{1,4096})/gi,
    `$1${REDACTED}`,
  ],
  [/(:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,256}@/g, `$1${REDACTED}@`],
]
const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu

/** Removes e-mail addresses, tokens and keys. */
export const redactText = (text: string): string => redactSecrets(text).replace(MAIL, REDACTED)

/** Removes tokens and keys. */
export function redactSecrets(text: string): string {
  let redacted = withoutPrivateKeys(text)
  for (const pattern of ANNOUNCED) redacted = redacted.replace(pattern, `$1${REDACTED}`)
  redacted = withoutNamedKeys(withoutWebTokens(redacted))
  for (const [pattern, instead] of REPLACED) redacted = redacted.replace(pattern, instead)
  return redacted
}

export function redactJson(value: Json): Json {
  return redact(value, redactText)
}

/** Redacts a tool's output: JSON by its fields, anything else by patterns. */
export function redactOutput(output: string): string {
  if (!/^\s*[[{]/.test(output)) return redactText(output)
  try {
    return JSON.stringify(redactJson(JSON.parse(output) as Json))
  } catch {
    return redactText(output)
  }
}
