import { Problem } from '../contract/problem.ts'
import { withoutSlashes } from '../lib/without-slashes.ts'

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS'
const fault = (field: string, why: string): Problem => new Problem('CONFIG_ERROR', `${field}${why}`, { field })

/** Where spans are posted, from the endpoint that all signals share. */
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

/** `name=value,name=value`, values percent-encoded. They are often secrets: an error names the place, never the text. */
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

/** Many write `Bearer abc%` without encoding it; what does not decode is meant as it stands. */
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
