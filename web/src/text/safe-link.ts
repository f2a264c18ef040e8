import { hidesSomething } from './visible.ts'

/** An address that may be clicked. `place` is where the click really goes: a host, or a mail address. */
export type SafeLink = { href: string; place: string }

const MAIL = /^mailto:([^\s@<>"?#]+@[^\s@<>"?#]+)(?:\?.*)?$/i

/** Only http, https and mailto become links, and only if nothing in them is hidden. */
export function safeLink(target: string): SafeLink | undefined {
  if (hidesSomething(target)) return undefined
  const mail = MAIL.exec(target)?.[1]
  // What follows the address could fill in copies and a text the reader never wrote.
  if (mail !== undefined) return { href: `mailto:${mail}`, place: mail }
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined
  const url = new URL(target)
  // `https://bank.example@evil.example` is written only to be misread.
  if (url.username !== '' || url.password !== '') return undefined
  return { href: url.href, place: url.host }
}

/** Whether the text of a link looks like an address, and another one than the click goes to. */
export function misleads(text: string, { href, place }: SafeLink): boolean {
  const words = text.normalize('NFKC').toLowerCase().replaceAll('\u3002', '.').split(/\s+/u)
  const real = hostIn(place.toLowerCase())
  return words.some((word) => {
    if (href.startsWith('mailto:') && word.includes('@')) return !word.includes(place.toLowerCase())
    const host = hostIn(word)
    return looksLikeHost(host) && host !== real
  })
}

/** The part of a word where an address has its host, as it is written: letters that look alike stay different. */
function hostIn(word: string): string {
  const start = word.search(/[\p{L}\p{N}]/u)
  const [host = ''] = word
    .slice(Math.max(0, start))
    .replace(/^https?:\/+/, '')
    .split(/[/?#\\]/, 1)
  let end = host.length
  while (end > 0 && /[^\p{L}\p{N}\p{M}\p{Cs}]/u.test(host[end - 1] ?? '')) end--
  return host.slice(0, end).replace(/^www\./, '')
}

function looksLikeHost(text: string): boolean {
  const parts = text.split('.')
  return parts.length > 1 && (/\p{L}/u.test(parts.at(-1) ?? '') || parts.length === 4)
}
