import type { StoredEvent } from '../contract/event.ts'
import type { Call } from './call-state.ts'
import { sha256 } from '../lib/hash.ts'

/**
 * Which addresses the conversation was given, and how many characters the model put into addresses of its own since it
 * read text from outside: a path can carry a secret to a host, an address that was there before cannot.
 */
export interface Addresses {
  /** fingerprints of those that stood in a message of the user or in a fetched page, the newest last */
  readonly named: Set<string>
  /** characters in the paths of all others that were asked for since the taint */
  builtChars: number
}

/** The oldest are forgotten first: then a person is asked once more. */
export const MOST_NAMED = 5_000
/** As long as `web_fetch` takes one. */
const LONGEST = 8_000
const FINGERPRINT_CHARS = 24

const START = 'https://'
/** What ends an address in running text, in markdown, in JSON and in HTML. */
const END = new Set(' \t\n\r\f\v\u00a0\u2028\u2029<>"`[]{}|\\^')
/** What stands behind an address and rarely belongs to it. */
const BEHIND = new Set(".,;:!?'*_~")

export function emptyAddresses(): Addresses {
  return { named: new Set(), builtChars: 0 }
}

/** `call`: the one the event is about */
export function evolveAddresses(addresses: Addresses, event: StoredEvent, call?: Call): void {
  switch (event.type) {
    case 'message.user':
      for (const part of event.data.content) if (part.type === 'text') name(addresses, part.text)
      return
    case 'tool.result':
      // Files, commands and servers can be made to say anything, and an error repeats what the model wrote.
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

/** Characters in the paths of those of these addresses, in their normal form, that nobody named. */
export function builtChars({ named }: Pick<Addresses, 'named'>, hrefs: readonly string[]): number {
  const built = hrefs.filter((href) => !named.has(fingerprint(href)))
  return built.reduce((sum, href) => sum + (URL.parse(href)?.pathname ?? href).length, 0)
}

/** Each answer repeats the address it was asked for: to let it be asked for once is not to name it. */
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
    // What is named again is among the newest.
    named.delete(key)
    named.add(key)
  }
  for (const key of named) {
    if (named.size <= MOST_NAMED) return
    named.delete(key)
  }
}

/** The addresses a text names, as a browser would write them: each as it stands, and without what ends a sentence. */
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

/** A bracket that was not opened in an address closes something around it. */
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

/** Pages are shown with their brackets written as numbers, and models write them either way. */
function fingerprint(href: string): string {
  return sha256(href.replaceAll('%28', '(').replaceAll('%29', ')')).slice(0, FINGERPRINT_CHARS)
}
