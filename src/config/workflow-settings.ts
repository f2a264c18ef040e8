import type { TemporalConnection } from '../contract/automation.ts'
import { parseObject } from '../lib/parse-object.ts'
import type { Settings } from './config.ts'

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/
const ADDRESS = /^[\w.-]{1,253}:\d{1,5}$/
const FIELDS = ['address', 'namespace', 'tls', 'apiKeyEnv']
const EXPECTED = 'expected JSON such as {"main": {"address": "temporal.example.org:7233", "namespace": "default"}}'

/** Reads SEGNO_TEMPORAL. */
export function readTemporal(env: Settings, faults: string[]): ReadonlyMap<string, TemporalConnection> {
  const connections = new Map<string, TemporalConnection>()
  const fault = (what: string): void => void faults.push(`SEGNO_TEMPORAL ${what}`)
  const text = env['SEGNO_TEMPORAL']
  if (!text) return connections
  const said = parseObject(text)
  if (said === undefined) fault(`cannot be read, ${EXPECTED}`)
  for (const [name, given] of Object.entries(said ?? {})) {
    if (!NAME.test(name)) fault(`has "${name}", expected a name of small letters, digits and hyphens`)
    else if (typeof given !== 'object' || given === null || Array.isArray(given))
      fault(`has no connection for "${name}", ${EXPECTED}`)
    else {
      const read = connectionOf(given as Record<string, unknown>, env, (what) => fault(`of "${name}" ${what}`))
      if (read) connections.set(name, read)
    }
  }
  return connections
}

function connectionOf(
  given: Readonly<Record<string, unknown>>,
  env: Settings,
  fault: (what: string) => void,
): TemporalConnection | undefined {
  const { address, namespace = 'default', tls = false, apiKeyEnv } = given
  const unknown = Object.keys(given).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) fault(`has ${unknown}, expected only ${FIELDS.join(', ')}`)
  else if (typeof address !== 'string' || !ADDRESS.test(address))
    fault('has no address, expected a host and port such as temporal.example.org:7233')
  else if (typeof namespace !== 'string' || namespace === '') fault('has a namespace that is no text')
  else if (typeof tls !== 'boolean') fault('has a tls that is neither true nor false')
  else if (apiKeyEnv === undefined) return { address, namespace, tls }
  else if (typeof apiKeyEnv !== 'string' || !env[apiKeyEnv]) fault('names an apiKeyEnv that is not set')
  else return { address, namespace, tls, apiKey: env[apiKeyEnv] }
  return undefined
}

/** Reads SEGNO_PUBLIC_URL, without a slash at its end. */
export function readPublicUrl(env: Settings, faults: string[]): string | undefined {
  const text = env['SEGNO_PUBLIC_URL']?.trim().replace(/\/$/, '') || undefined
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!url || !['http:', 'https:'].includes(url.protocol) || !isPlain)
    faults.push(
      'SEGNO_PUBLIC_URL is not an address, expected one such as https://segno.example.org, where others reach Segno',
    )
  return text
}
