import type { Json } from '../contract/message.ts'
import type { Facts, FieldFacts } from './facts.ts'
import type { Reading } from './patterns.ts'

/** Without declared paths or commands, any text may be one, except for an `allow`. */
export function textsOf({ tool, args }: Facts, form: keyof FieldFacts, reading: Reading): readonly string[] {
  const declared = tool?.fields[form] ?? []
  return declared.length > 0 || reading === 'narrow' ? declared : texts(args)
}

/** The URLs in a call; for an `allow` none if one of them has no clear host. */
export function urlsOf({ tool, args }: Facts, reading: Reading, patterns: readonly string[]): readonly URL[] {
  const urls = (tool?.fields.url ?? []).map((text) => URL.parse(text))
  const hosts = (tool?.fields.host ?? []).map((host) => hostUrl(host, reading))
  const declared = [...urls, ...hosts]
  if (reading === 'narrow') return declared.every(hasHost) ? declared : []
  if (declared.length > 0) return declared.filter(hasHost)
  // Any word could be a host, so words count only for patterns that name one.
  const isNamed = patterns.some((pattern) => pattern !== '*')
  return texts(args)
    .flatMap((text) => [...urlsIn(text), ...(isNamed ? [hostUrl(text, reading)] : [])])
    .filter(hasHost)
}

const hasHost = (url: URL | null): url is URL => url !== null && url.hostname !== ''

/** For an `allow`, text with more than a host has no clear host. */
function hostUrl(host: string, reading: Reading): URL | null {
  return reading === 'narrow' && /[\s/\\?#@]/.test(host) ? null : URL.parse(`https://${host}`)
}

function urlsIn(text: string): (URL | null)[] {
  const inside = text.match(/[a-z][a-z\d+.-]{0,20}:\/\/[^\s"'<>`]{1,8000}/gi) ?? []
  return [text, ...inside].map((one) => URL.parse(one))
}

function texts(value: Json): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return (Array.isArray(value) ? value : Object.values(value)).flatMap((one) => texts(one as Json))
}
