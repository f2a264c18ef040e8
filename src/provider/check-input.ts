import { invalidField, Problem } from '../contract/problem.ts'
import { PROVIDER_NAME } from '../contract/provider.ts'
import { isWebAddress } from '../lib/is-web-address.ts'
import type { CompleteInput } from './complete-input.ts'

const MOST_URL_CHARS = 500
const MOST_KEY_CHARS = 4000
const MOST_VALUES = 20
const MOST_VALUE_CHARS = 1000
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
const QUERY_NAME = /^[A-Za-z0-9._-]{1,64}$/
const PLAIN = /^[\x20-\x7e]*$/
const KEY = /^[\x21-\x7e]+$/

/** Where providers with more freedom come from. */
const ELSEWHERE = 'SEGNO_PROVIDERS, in the environment or segno.config'

/** These are the connection's own. */
const NOT_FOR_PROVIDERS = new Set(
  'host connection keep-alive content-length content-type transfer-encoding te trailer upgrade expect'.split(' '),
)

export function checkName(name: string, kind: string, kinds: readonly string[]): void {
  if (!PROVIDER_NAME.test(name)) throw invalidField('name', 'must have 1 to 40 small letters, digits or dashes')
  if (name === 'ollama' || name === 'scripted')
    throw invalidField('name', `is that of a provider that only settings can change; choose another than ${name}`)
  if (kinds.includes(name) && kind !== name)
    throw invalidField('kind', `must be ${name}, because that is a provider Segno knows; or choose another name`)
}

/** What can be said without looking anything up. */
export function checkInput(input: CompleteInput, kinds: readonly string[]): void {
  const { kind, baseURL, key, headers, query } = input
  if (kind === 'package') throw new Problem('VALIDATION_ERROR', onlyIn('A package'), { field: 'kind' })
  if (!kinds.includes(kind)) throw invalidField('kind', `must be one of ${kinds.join(', ')}`)
  if (baseURL !== undefined) checkAddress(baseURL)
  else if (kind === 'openai-compatible') throw invalidField('baseURL', 'must say where the server is')
  if (typeof key === 'string' && (!KEY.test(key) || key.length > MOST_KEY_CHARS))
    throw invalidField('key', `must have 1 to ${MOST_KEY_CHARS} characters, and no space or line end`)
  checkValues('headers', headers ?? {}, HEADER_NAME)
  checkValues('query', query ?? {}, QUERY_NAME)
  for (const name of Object.keys(headers ?? {}))
    if (NOT_FOR_PROVIDERS.has(name.toLowerCase()))
      throw invalidField(`headers.${name}`, 'is set by the connection itself; leave it out')
}

function checkAddress(baseURL: string): void {
  if (baseURL.length > MOST_URL_CHARS || !isWebAddress(baseURL))
    throw invalidField(
      'baseURL',
      `must be an address such as https://api.example.org/v1, without a name, password or query, at most ${MOST_URL_CHARS} characters`,
    )
}

function checkValues(field: string, values: Readonly<Record<string, string>>, nameForm: RegExp): void {
  const all = Object.entries(values)
  if (all.length > MOST_VALUES) throw invalidField(field, `may have at most ${MOST_VALUES} entries`)
  for (const [name, value] of all) {
    if (!nameForm.test(name))
      throw invalidField(field, 'has a name that cannot be sent; use letters, digits and dashes')
    if (value.includes('${'))
      throw new Problem('VALIDATION_ERROR', onlyIn('A value with a variable in it'), { field: `${field}.${name}` })
    if (!PLAIN.test(value) || value.length > MOST_VALUE_CHARS)
      throw invalidField(`${field}.${name}`, `may have ${MOST_VALUE_CHARS} printable characters`)
  }
}

export const onlyIn = (what: string): string => `${what} cannot be set over HTTP, only in ${ELSEWHERE}.`
