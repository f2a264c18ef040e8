import { PROVIDER_NAME } from '../../contract/provider.ts'
import { isWebAddress } from '../../lib/is-web-address.ts'
import { parseObject } from '../../lib/parse-object.ts'
import { secretTexts } from '../../lib/secret-texts.ts'
import { isObject, isStringRecord, type UnknownRecord } from '../../lib/type-guards.ts'
import { QUIRKS } from '../render/provider-features.ts'
import { packageMissing } from './load-package.ts'
import { fill, settingOf, variablesOf } from './fill-variables.ts'
import { ofKind, ofPackage, type Provider, type ProviderSettings } from './provider.ts'
import { PROVIDERS } from './provider-table.ts'

const FIELDS = ['kind', 'baseURL', 'keyEnv', 'headers', 'query', 'package', 'options', 'local', 'quirks']
const KINDS = [...PROVIDERS.map(({ name }) => name), 'package']
const MOST = { providers: 100, fields: 50, chars: 4000, urlChars: 2000 } as const
const VARIABLE = /^[A-Za-z_]\w{0,99}$/
const PACKAGE = /^(?:@[a-z0-9~-][\w.~-]{0,99}\/)?[a-z0-9~-][\w.~-]{0,99}(?:\/[\w-][\w.-]{0,99}){0,3}$/

/** Reads SEGNO_PROVIDERS; `settings` has the variables it names. */
export function readProviders(
  text: string | undefined,
  settings: ProviderSettings,
): { providers: Provider[]; faults: string[] } {
  const faults: string[] = []
  const named = Object.entries(parse(text, faults))
  if (named.length > MOST.providers) faults.push(`expected at most ${MOST.providers} providers`)
  const providers = named.slice(0, MOST.providers).flatMap(([name, value]) => {
    const before = faults.length
    const fault = (field: string, expected: string): void => void faults.push(`${name}${field}: expected ${expected}`)
    if (!PROVIDER_NAME.test(name) || name === 'scripted')
      faults.push(`"${name.slice(0, 60)}" is not a name: small letters, digits, dashes, at most 40, and not scripted`)
    else if (isObject(value)) check(value, fault)
    else fault('', 'an object such as {"kind": "openai-compatible", "baseURL": "http://127.0.0.1:8000/v1"}')
    return faults.length === before ? [providerOf(name, value as NamedProvider, settings)] : []
  })
  return { providers, faults: faults.map((fault) => `SEGNO_PROVIDERS: ${fault}`) }
}

interface NamedProvider {
  readonly kind?: string
  readonly baseURL?: string
  readonly keyEnv?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly package?: string
  readonly options?: UnknownRecord
  readonly local?: boolean
  readonly quirks?: string
}

function parse(text: string | undefined, faults: string[]): UnknownRecord {
  if (text === undefined || text.trim() === '') return {}
  const value = parseObject(text)
  if (!value)
    faults.push(
      'expected a JSON object such as {"house": {"kind": "openai-compatible", "baseURL": "http://127.0.0.1:8000/v1"}}',
    )
  return value ?? {}
}

const kindOf = ({ kind, package: name }: UnknownRecord): unknown =>
  kind ?? (name === undefined ? 'openai-compatible' : 'package')

type Fault = (field: string, expected: string) => void

/** Faults never quote values, because one may contain a key by mistake. */
function check(value: UnknownRecord, fault: Fault): void {
  for (const field of Object.keys(value))
    if (!FIELDS.includes(field)) fault(`.${field.slice(0, 60)}`, `one of the fields ${FIELDS.join(', ')}`)
  const kind = kindOf(value)
  if (typeof kind !== 'string' || !KINDS.includes(kind)) return fault('.kind', `one of ${KINDS.join(', ')}`)
  const { baseURL, keyEnv, headers = {}, query = {}, package: name, options = {}, local, quirks } = value
  const known = PROVIDERS.find((one) => one.name === kind)
  if (baseURL === undefined ? known?.needs === 'url' : !isAddress(baseURL))
    fault('.baseURL', 'an address without a name, password or query, such as http://127.0.0.1:8000/v1')
  if (keyEnv === undefined ? known?.needs === 'key' : !(typeof keyEnv === 'string' && VARIABLE.test(keyEnv)))
    fault('.keyEnv', 'the name of the environment variable that holds its key')
  if (!areTexts(headers, /^[\w-]{1,100}$/)) fault('.headers', 'names and texts such as {"X-Team": "a"}')
  if (!areTexts(query, /^[\w.-]{1,100}$/)) fault('.query', 'names and texts such as {"api-version": "2026-01-01"}')
  if (kind !== 'package' && (name !== undefined || value['options'] !== undefined))
    fault('.kind', '"package", where there is a package or options')
  if (kind === 'package' && !(typeof name === 'string' && PACKAGE.test(name)))
    fault('.package', 'the name of an npm package such as @ai-sdk/mistral')
  if (!isObject(options)) fault('.options', "an object with options of the package's create… function")
  if (local !== undefined && typeof local !== 'boolean') fault('.local', 'true or false')
  if (quirks !== undefined && !QUIRKS.includes(quirks as string)) fault('.quirks', `one of ${QUIRKS.join(', ')}`)
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MOST.urlChars && isWebAddress(value)
}

function areTexts(value: unknown, name: RegExp): boolean {
  if (!isStringRecord(value) || Object.keys(value).length > MOST.fields) return false
  return Object.entries(value).every(
    ([key, text]) => name.test(key) && text.length <= MOST.chars && PRINTABLE.test(text),
  )
}

const PRINTABLE = /^[\x20-\x7e]*$/

function providerOf(name: string, named: NamedProvider, settings: ProviderSettings): Provider {
  const { keyEnv, query = {}, local = false, package: packageName } = named
  const wanted = [...(keyEnv === undefined ? [] : [keyEnv]), ...variablesOf([named.headers, named.options])]
  const unset = wanted.find((variable) => settingOf(settings, variable) === undefined)
  const missing =
    unset === undefined
      ? packageName && packageMissing(packageName)
      : `${unset} is not set, which SEGNO_PROVIDERS names`
  const known = PROVIDERS.find((one) => one.name === kindOf({ ...named }))
  const options = fill(named.options ?? {}, settings)
  const headers = fill(named.headers ?? {}, settings)
  const how = known ? ofKind(known, named.baseURL) : ofPackage(packageName ?? '', named.baseURL, options)
  return {
    ...how,
    name,
    from: 'file',
    ...(named.quirks !== undefined && { quirks: named.quirks }),
    apiKey: settingOf(settings, keyEnv ?? '') ?? '',
    headers,
    query,
    secrets: secretTexts({ headers, query, options }),
    local,
    isSet: true,
    why: `SEGNO_PROVIDERS has ${name}`,
    place: `${name} of SEGNO_PROVIDERS`,
    ...(missing !== undefined && { missing }),
  }
}
