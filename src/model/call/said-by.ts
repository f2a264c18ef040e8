import { isNonsense } from './failure.ts'
import { MESSAGE_CHARS, readError } from './read-error.ts'
import { withoutQuotes } from './without-quotes.ts'

/** What a provider said when it failed, without secrets and without anything of the request. */
export async function saidBy(
  error: unknown,
  /** asked only if it said something */
  request: () => readonly unknown[],
  redact: (text: string) => string = (text) => text,
): Promise<string | undefined> {
  if (isNonsense(error)) return undefined
  const { said } = readError(error)
  if (said === undefined) return undefined
  // Half a secret at the end of what was cut would not be known for one.
  const whole = said.length < MESSAGE_CHARS ? said : said.slice(0, said.lastIndexOf(' ') + 1)
  const words = await withoutQuotes(redact(whole), textsIn(request()))
  const line = words.replaceAll(/[\s\p{Cc}]{1,100}/gu, ' ').trim()
  return line === '' ? undefined : line
}

/** All texts of a request, and its values as JSON. */
function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return
  for (const [name, inner] of Object.entries(value)) {
    if (WHOLE.has(name) && typeof inner === 'object') yield JSON.stringify(inner)
    yield* textsIn(inner)
  }
}

/** Arguments and schemas are quoted as JSON. */
const WHOLE = new Set(['input', 'inputSchema', 'schema'])
