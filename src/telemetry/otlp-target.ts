import { Problem } from '../contract/problem.ts'
import { withoutSlashes } from '../lib/without-slashes.ts'

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS'
const fault = (field: string, why: string): Problem => new Problem('CONFIG_ERROR', `${field}${why}`, { field })

/** The traces URL of an OTLP endpoint. */
export function tracesUrl(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw fault(ENDPOINT, ' must be the http(s) address of a collector, such as http://localhost:4318.')
  }
  if (url.username !== '' || url.password !== '') {
    throw fault(ENDPOINT, ` must not hold a name or password; put them into ${HEADERS}.`)
  }
  url.pathname = `${withoutSlashes(url.pathname)}/v1/traces`
  return url.href
}

/**
 * Parses `name=value,name=value` with percent-encoded values; errors never quote them, because they are often secrets.
 */
export function parseHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {}
  text.split(',').forEach((entry, i) => {
    if (entry.trim() === '') return
    const equals = entry.indexOf('=')
    const name = entry.slice(0, Math.max(0, equals)).trim()
    const value = decoded(entry.slice(equals + 1).trim())
    if (equals < 0 || !isHeader(name, value)) {
      throw fault(HEADERS, `: entry ${i + 1} must be name=value, with the value percent-encoded.`)
    }
    headers[name.toLowerCase()] = value
  })
  return headers
}

/** Many write `Bearer abc%` unencoded, so what does not decode is taken literally. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    return false
  }
}
