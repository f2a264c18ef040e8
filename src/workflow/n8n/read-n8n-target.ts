import { invalidField } from '../../contract/problem.ts'
import { withoutSlashes } from '../../lib/without-slashes.ts'
import type { KeptTarget } from '../engine.ts'
import { isSameOrigin, readAddress, readFields } from '../read-fields.ts'

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const MOST_SECRET_CHARS = 4000
const DEFAULT_HEADER = 'authorization'

/** Those of the connection, and those that Segno sends itself. */
const TAKEN = new Set(
  'host connection keep-alive content-length content-type transfer-encoding te trailer upgrade expect accept accept-encoding idempotency-key'.split(
    ' ',
  ),
)

/** Reads `{url, auth?: {header, value}, api?: {url, key}}`; `null` takes `auth` or `api` away. */
export function readN8nTarget(given: unknown, before?: KeptTarget): KeptTarget {
  const fields = readFields('target', given, ['url', 'auth', 'api'])
  const kept = before?.target.engine === 'n8n' ? { ...before.target, secrets: before.secrets } : undefined
  const url = readAddress('target.url', fields['url'])
  const auth = readAuth(fields['auth'], url, kept && { ...kept, value: kept.secrets['value'] })
  const api = readApi(fields['api'], kept && { url: kept.apiUrl, key: kept.secrets['apiKey'] })
  return {
    target: { engine: 'n8n', url, ...(auth && { header: auth.header }), ...(api && { apiUrl: api.url }) },
    secrets: { ...(auth && { value: auth.value }), ...(api && { apiKey: api.key }) },
  }
}

interface KeptAuth {
  readonly url: string
  readonly header?: string
  readonly value: string | undefined
}

function readAuth(given: unknown, url: string, before: KeptAuth | undefined) {
  const hadOne = before?.header !== undefined
  if (given === null || (given === undefined && !hadOne)) return undefined
  const { header = before?.header ?? DEFAULT_HEADER, value } = readFields('target.auth', given ?? {}, [
    'header',
    'value',
  ])
  if (typeof header !== 'string' || !HEADER_NAME.test(header))
    throw invalidField('target.auth.header', 'must be the name of a header, of letters, digits and dashes')
  const name = header.toLowerCase()
  if (TAKEN.has(name) || name.startsWith('segno-') || name.startsWith('webhook-'))
    throw invalidField('target.auth.header', 'is a header that Segno sends itself; choose another')
  if (value !== undefined) return { header: name, value: readSecret('target.auth.value', value) }
  const kept = before && name === before.header && isSameOrigin(url, before.url) ? before.value : undefined
  if (kept === undefined) throw invalidField('target.auth.value', neededAgain(hadOne))
  return { header: name, value: kept }
}

interface KeptApi {
  readonly url: string | undefined
  readonly key: string | undefined
}

function readApi(given: unknown, before: KeptApi | undefined) {
  if (given === null || (given === undefined && before?.url === undefined)) return undefined
  const { url: address = before?.url, key } = readFields('target.api', given ?? {}, ['url', 'key'])
  const url = apiAddress(readAddress('target.api.url', address))
  if (key !== undefined) return { url, key: readSecret('target.api.key', key) }
  const kept = before?.url !== undefined && isSameOrigin(url, before.url) ? before.key : undefined
  if (kept === undefined) throw invalidField('target.api.key', neededAgain(before?.url !== undefined))
  return { url, key: kept }
}

/** People give the address of n8n or that of its API. */
function apiAddress(given: string): string {
  const url = new URL(given)
  return withoutSlashes(url.pathname === '/' ? new URL('/api/v1', url).href : url.href)
}

const neededAgain = (hadOne: boolean): string =>
  hadOne
    ? 'must be given again, because it would go somewhere else than before'
    : 'is needed: without it n8n lets nobody in'

function readSecret(field: string, given: unknown): string {
  if (typeof given !== 'string' || given.length > MOST_SECRET_CHARS || !HEADER_VALUE.test(given))
    throw invalidField(field, `must have 1 to ${MOST_SECRET_CHARS} printable characters and no space at its ends`)
  return given
}
