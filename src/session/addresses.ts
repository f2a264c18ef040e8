import type { StoredEvent } from '../contract/event.ts'
import type { Call } from './call-state.ts'
import { sha256 } from '../lib/hash.ts'

/**
 * Addresses the conversation was given, and how much the model wrote into its own addresses since it read foreign text:
 * a path can carry a secret to a host, a given address cannot.
 */
export interface Addresses {
  /** fingerprints of addresses from user messages and fetched pages, newest last */
  readonly named: Set<string>
  /** characters in the paths of all other requested addresses since the taint */
  builtChars: number
}

/** Past this the oldest are forgotten, and a person is asked again. */
export const MOST_NAMED = 5_000
/** The longest address `web_fetch` accepts. */
const LONGEST = 8_000
const FINGERPRINT_CHARS = 24

const START = 'https://'
/** Characters that end an address in text, Markdown, JSON and HTML. */
const END = new Set(' \t\n\r\f\v\u00a0\u2028\u2029<>"`[]{}|\\^')
/** Punctuation after an address that rarely belongs to it. */
const BEHIND = new Set(".,;:!?'*_~")

export function emptyAddresses(): Addresses {
  return { named: new Set(), builtChars: 0 }
}

export function evolveAddresses(addresses: Addresses, event: StoredEvent, call?: Call): void {
  switch (event.type) {
    case 'message.user':
      for (const part of event.data.content) if (part.type === 'text') name(addresses, part.text)
      return
    case 'tool.result':
      // Only pages: files, commands and servers can be made to return anything, and an error repeats the model's words.
      if (event.data.name === 'web_fetch' && event.data.outcome === 'ok')
        name(addresses, event.data.content, approvedHref(call))
      return
    case 'tool.started':
      addresses.builtChars += event.data.builtChars ?? 0
      return
    case 'context.cleared':
      addresses.named.clear()
      addresses.builtChars = 0
      return
    default:
      return
  }
}

/** Characters in the paths of those of these normalized addresses that nobody gave. */
export function builtChars({ named }: Pick<Addresses, 'named'>, hrefs: readonly string[]): number {
  const built = hrefs.filter((href) => !named.has(fingerprint(href)))
  return built.reduce((sum, href) => sum + (URL.parse(href)?.pathname ?? href).length, 0)
}

/** A page repeats its own address, and approving one request does not make the address a given one. */
function approvedHref(call: Call | undefined): string | undefined {
  const written = call?.approval ? call.args['url'] : undefined
  const url = typeof written === 'string' ? URL.parse(written) : null
  if (url) url.hash = ''
  return url?.href
}

function name({ named }: Addresses, text: string, without?: string): void {
  for (const href of hrefsIn(text)) {
    if (href === without) continue
    const key = fingerprint(href)
    // Moves it to the newest.
    named.delete(key)
    named.add(key)
  }
  for (const key of named) {
    if (named.size <= MOST_NAMED) return
    named.delete(key)
  }
}

/** The normalized addresses in a text, each with and without trailing punctuation. */
export function hrefsIn(text: string): Set<string> {
  const found = new Set<string>()
  for (let at = text.indexOf(START); at >= 0;) {
    const end = endOf(text, at + START.length)
    let last = end
    while (last > at && BEHIND.has(text.charAt(last - 1))) last -= 1
    for (const written of new Set([text.slice(at, end), text.slice(at, last)])) {
      const url = written.length <= LONGEST ? URL.parse(written) : null
      if (url === null) continue
      url.hash = ''
      found.add(url.href)
    }
    at = text.indexOf(START, Math.max(end, at + START.length))
  }
  return found
}

/** A closing bracket that was not opened inside the address ends it. */
function endOf(text: string, from: number): number {
  let open = 0
  for (let at = from; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (END.has(letter)) return at
    if (letter === '(') open += 1
    if (letter === ')' && (open -= 1) < 0) return at
  }
  return text.length
}

/** Brackets may be percent-encoded or not. */
function fingerprint(href: string): string {
  return sha256(href.replaceAll('%28', '(').replaceAll('%29', ')')).slice(0, FINGERPRINT_CHARS)
}
