import canonicalize from 'canonicalize'

/** RFC 8785, with lone surrogates spelled out so that different texts stay different. */
export function canonicalJson(value: unknown): string {
  try {
    return canonicalize(value) ?? 'null'
  } catch {
    return canonicalize(spellOut(value)) ?? 'null'
  }
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

function spellOut(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(LONE_SURROGATE, (unit) => `\uFFFD{${unit.charCodeAt(0).toString(16)}}`)
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (Array.isArray(value)) return value.map(spellOut)
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [spellOut(key), spellOut(item)]))
  }
  return value
}
