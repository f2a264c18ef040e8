import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { nearest } from '../contract/known-fields.ts'
import { PROTOCOLS, type Protocol } from '../contract/outcome.ts'
import { Problem } from '../contract/problem.ts'
import { isInside } from '../lib/is-inside.ts'
import { DEEPEST_JSON, nestsDeeper } from '../lib/nesting.ts'
import { readClusterSettings } from './cluster-settings.ts'
import { readFolderRoots, type FolderRoots } from './folder-roots.ts'
import { LIMITS, type LimitName, type Limits } from './limits.ts'
import { PROVIDER_SETTINGS, providerSettings } from './provider-settings.ts'
import { readPublicUrl, readTemporal } from './workflow-settings.ts'
import { readSearch, SEARCH_ENGINES, SEARCH_KEYS } from './search-settings.ts'

/** All settings, read once at the start. */
export type Config = ReturnType<typeof readConfig>
export type Settings = Readonly<Record<string, string | undefined>>

const SWITCH = ['on', 'off', 'true', 'false', '1', '0'] as const
export const CHOICES = {
  SEGNO_DURABILITY: ['full', 'normal'],
  SEGNO_PROTOCOL: PROTOCOLS,
  SEGNO_REQUIRE_KEY: SWITCH,
  SEGNO_FOUR_EYES: SWITCH,
  SEGNO_LOG: ['debug', 'info', 'warn', 'error', 'off'],
  SEGNO_SEARCH: SEARCH_ENGINES,
  TWO_STAGE_ENABLED: SWITCH,
} as const
const TEXTS = [
  'SEGNO_HOME',
  'SEGNO_HOST',
  'SEGNO_PORT',
  'SEGNO_MODEL',
  'SEGNO_MODELS',
  'SEGNO_PROVIDERS',
  'SEGNO_ASSUMED_PRICES',
  'SEGNO_ASSUMED_TOOL_COST',
  'SEGNO_EMBEDDINGS',
  'SEGNO_SCRIPT',
  'SEGNO_CORS_ORIGINS',
  'SEGNO_POLICY',
  'SEGNO_MCP',
  'SEGNO_KNOWN_HOSTS',
  'SEGNO_PRIVATE_ORIGINS',
  'SEGNO_WORKFLOW_ORIGINS',
  'SEGNO_TEMPORAL',
  'SEGNO_PUBLIC_URL',
  'SEGNO_SEARCH_URL',
  'SEGNO_SEARCH_COST',
  'SEGNO_CGROUP',
  'SEGNO_FOLDER_ROOTS',
  'SEGNO_REASONING_MODEL',
  'SEGNO_SUMMARY_MODEL',
  'SEGNO_TITLE_MODEL',
  'SEGNO_DATABASE_URL',
  'SEGNO_CLUSTER_SECRET',
  'SEGNO_NODE_URL',
  'SEGNO_QUIET_HOURS',
  'SEGNO_SECRET_KEY_FILE',
  'SEGNO_KEY',
] as const
/** JSON in the environment, but may be objects in a file. */
export const AS_JSON = [
  'SEGNO_MODELS',
  'SEGNO_PROVIDERS',
  'SEGNO_ASSUMED_PRICES',
  'SEGNO_POLICY',
  'SEGNO_MCP',
  'SEGNO_FOLDER_ROOTS',
  'SEGNO_TEMPORAL',
]
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** Options given in code override the environment; all unknown or invalid settings are reported at once. */
export function readConfig(
  env: Settings,
  given: {
    home?: string | undefined
    durability?: 'full' | 'normal' | undefined
    protocol?: Protocol | undefined
    model?: string | undefined
    limits?: Partial<Limits> | undefined
  } = {},
) {
  const faults: string[] = []
  for (const name of Object.keys(env)) {
    if (name.startsWith('SEGNO_') && !NAMES.includes(name)) faults.push(`${name} is not a setting${hint(name)}`)
  }
  const limits = Object.fromEntries(
    Object.entries(LIMITS).map(([name, { default: value }]) => [
      name,
      limit(name as LimitName, env, given.limits, value, faults),
    ]),
  ) as Limits
  for (const name of Object.keys(given.limits ?? {}))
    if (!Object.hasOwn(LIMITS, name)) faults.push(`limits.${name} is not a limit`)
  const durability = choice('SEGNO_DURABILITY', env, given.durability, faults) ?? 'full'
  const protocol = choice('SEGNO_PROTOCOL', env, given.protocol, faults) ?? 'unified'
  const requireKey = choice('SEGNO_REQUIRE_KEY', env, undefined, faults)
  const twoStage = choice('TWO_STAGE_ENABLED', env, undefined, faults)
  const fourEyes = choice('SEGNO_FOUR_EYES', env, undefined, faults)
  const log = choice('SEGNO_LOG', env, undefined, faults) ?? 'off'
  const port = wholeNumber(env['SEGNO_PORT'] || 4747)
  if (port === undefined || port > 65_535) {
    faults.push(`SEGNO_PORT is "${env['SEGNO_PORT']}", expected a port from 0 to 65535`)
  }
  for (const name of AS_JSON)
    if (nestsDeeper(env[name] ?? '')) faults.push(`${name} is nested more than ${DEEPEST_JSON} levels deep`)
  const providers = providerSettings(env, faults)
  const corsOrigins = origins('SEGNO_CORS_ORIGINS', env, faults)
  const privateOrigins = origins('SEGNO_PRIVATE_ORIGINS', env, faults)
  const workflowOrigins = origins('SEGNO_WORKFLOW_ORIGINS', env, faults)
  const temporal = readTemporal(env, faults)
  const publicUrl = readPublicUrl(env, faults)
  const folderRoots = readFolderRoots(env['SEGNO_FOLDER_ROOTS'], faults)
  const knownHosts = hosts(env['SEGNO_KNOWN_HOSTS'], faults)
  const cgroup = env['SEGNO_CGROUP'] || undefined
  if (cgroup !== undefined && cgroup !== 'off' && !isAbsolute(cgroup))
    faults.push(`SEGNO_CGROUP is "${cgroup}", expected an absolute folder such as /sys/fs/cgroup/segno, or off`)
  const quietHours = hoursOf(env['SEGNO_QUIET_HOURS'] || QUIET_HOURS, faults)
  const cluster = readClusterSettings(env, faults)
  const assumedToolCost = microDollars('SEGNO_ASSUMED_TOOL_COST', env, faults)
  const searchCost = microDollars('SEGNO_SEARCH_COST', env, faults)
  const search = readSearch(choice('SEGNO_SEARCH', env, undefined, faults), searchCost, env, faults)
  const secretKeyFile = readSecretKeyFile(env['SEGNO_SECRET_KEY_FILE'], folderRoots, faults)
  if (faults.length > 0) throw new Problem('CONFIG_ERROR', `Segno cannot start: ${faults.join('; ')}.`)
  const host = env['SEGNO_HOST'] || '127.0.0.1'
  const home = given.home ?? (env['SEGNO_HOME'] || join(homedir(), '.segno'))
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT']
  return Object.freeze({
    home,
    host,
    port: port ?? 0,
    /** by default off on loopback, on everywhere else */
    requireKey: requireKey === undefined ? !LOOPBACK.has(host) : isOn(requireKey),
    /** off: a lone person may approve their own prompts */
    fourEyes: fourEyes === undefined || isOn(fourEyes),
    /** origins whose pages may use the API */
    corsOrigins,
    durability,
    protocol,
    twoStage: twoStage !== undefined && isOn(twoStage),
    model: given.model ?? (env['SEGNO_MODEL'] || undefined),
    /** registry entries as JSON, read by the model room */
    models: env['SEGNO_MODELS'] || undefined,
    /** the price of models without one, as JSON */
    assumedPrices: env['SEGNO_ASSUMED_PRICES'] || undefined,
    /** the cost of a call of a tool without one, in micro-dollars */
    assumedToolCost,
    /** what web_search asks */
    search,
    /** of all engines, also of those that are not asked; never shown */
    searchKeys: SEARCH_KEYS.map((name) => env[name]?.trim()),
    embeddings: env['SEGNO_EMBEDDINGS'] || undefined,
    /** providers by name as JSON, read by the model room */
    namedProviders: env['SEGNO_PROVIDERS'] || undefined,
    /** keys and addresses of providers, by setting; never shown */
    providers,
    /** which calls are allowed, as JSON, read by the policy room */
    policy: env['SEGNO_POLICY'] || undefined,
    /** MCP servers as JSON, read by the tool room */
    mcp: env['SEGNO_MCP'] || undefined,
    /** hosts that may be read without asking, besides the built-in ones */
    knownHosts,
    /** origins that may have private addresses */
    privateOrigins,
    /** origins that workflows and webhooks may have although their addresses are private */
    workflowOrigins,
    /** Temporal servers by name */
    temporal,
    /** where others reach this Segno, for callbacks and links */
    publicUrl,
    /** the cgroup folder for commands, or `off` */
    cgroup,
    /** where workspace folders may lie outside of `home`, by tenant */
    folderRoots,
    /** the second model that `deep_reasoning` asks */
    reasoningModel: env['SEGNO_REASONING_MODEL'] || undefined,
    /** the models for summaries (default: the one that answers) and titles (default: no titles) */
    summaryModel: env['SEGNO_SUMMARY_MODEL'] || undefined,
    titleModel: env['SEGNO_TITLE_MODEL'] || undefined,
    script: env['SEGNO_SCRIPT'] || undefined,
    log,
    otlp: endpoint ? { endpoint, headers: env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '' } : undefined,
    /** hours of the day in local time */
    quietHours,
    ...cluster,
    /** the keys of stored secrets; several nodes must be told where theirs is */
    secretKeyFile: secretKeyFile ?? (cluster.databaseUrl === undefined ? join(home, 'secret.key') : undefined),
    limits: Object.freeze(limits),
  })
}

/** The tools of a workspace must not find the keys. */
function readSecretKeyFile(text: string | undefined, roots: FolderRoots, faults: string[]): string | undefined {
  const file = text?.trim() || undefined
  if (file === undefined) return undefined
  if (!isAbsolute(file))
    faults.push('SEGNO_SECRET_KEY_FILE is not a full path, expected one such as /etc/segno/secret.key')
  if ([...roots.values()].flat().some((root) => isInside(root, resolve(file))))
    faults.push('SEGNO_SECRET_KEY_FILE lies in a folder of SEGNO_FOLDER_ROOTS, where tools could read it')
  return resolve(file)
}

export const QUIET_HOURS = '2-5'

/** `22-4` spans midnight. */
function hoursOf(text: string, faults: string[]): { from: number; to: number } | undefined {
  if (text === 'off') return undefined
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(text)?.map(Number) ?? []
  if (from !== undefined && to !== undefined && from < 24 && to <= 24 && from !== to) return { from, to }
  faults.push(`SEGNO_QUIET_HOURS is "${text}", expected two hours of the day such as 2-5, or off`)
  return undefined
}

const isOn = (word: (typeof SWITCH)[number]): boolean => word === 'on' || word === 'true' || word === '1'

const listed = (text: string | undefined): string[] => (text ?? '').split(',').flatMap((one) => one.trim() || [])

function origins(name: string, env: Settings, faults: string[]): string[] {
  const all = listed(env[name])
  for (const one of all) {
    if (!URL.canParse(one) || new URL(one).origin !== one)
      faults.push(`${name} has "${one}", expected origins such as https://app.example.org, with commas between`)
  }
  return all
}

function hosts(text: string | undefined, faults: string[]): string[] {
  const all = listed(text)
  for (const one of all) {
    const bare = one.replace(/^\*\./, '').toLowerCase()
    if (/:\d*$/.test(bare))
      faults.push(
        `SEGNO_KNOWN_HOSTS has "${one}" with a port, expected the host alone: it is known at the usual port of https, ` +
          'and for another one a rule of SEGNO_POLICY can name host and port',
      )
    else if (bare.includes('*') || URL.parse(`https://${bare}/`)?.host !== bare)
      faults.push(`SEGNO_KNOWN_HOSTS has "${one}", expected hosts such as docs.example.org or *.example.org`)
  }
  return all.map((one) => one.toLowerCase())
}

export const NAMES: readonly string[] = [
  ...Object.keys(CHOICES),
  ...TEXTS,
  ...PROVIDER_SETTINGS,
  ...SEARCH_KEYS,
  ...Object.keys(LIMITS).map((name) => `SEGNO_LIMITS_${name}`),
]

export function hint(name: string): string {
  const close = NAMES.find((one) => one.startsWith(name) || name.startsWith(one)) ?? nearest(name, NAMES, 2)
  return close ? ` (did you mean ${close}?)` : ''
}

function limit(
  name: LimitName,
  env: Settings,
  given: Partial<Limits> | undefined,
  standard: number,
  faults: string[],
): number {
  const setting = `SEGNO_LIMITS_${name}`
  const raw = given?.[name] ?? env[setting]
  if (raw === undefined || raw === '') return standard
  const value = wholeNumber(raw)
  const limit = LIMITS[name]
  const least = 'least' in limit ? limit.least : 0
  if (value !== undefined && value >= least) return value
  faults.push(
    `${given?.[name] === undefined ? setting : `limits.${name}`} is "${raw}", expected a whole number from ${least} up`,
  )
  return standard
}

function choice<Name extends keyof typeof CHOICES>(
  name: Name,
  env: Settings,
  given: string | undefined,
  faults: string[],
): (typeof CHOICES)[Name][number] | undefined {
  const value = given ?? env[name]
  if (value === undefined || value === '') return undefined
  const allowed: readonly string[] = CHOICES[name]
  if (allowed.includes(value)) return value as (typeof CHOICES)[Name][number]
  const option = given === undefined ? name : name.slice('SEGNO_'.length).toLowerCase()
  faults.push(`${option} is "${value}", expected ${allowed.join(' or ')}`)
  return undefined
}

function microDollars(name: string, env: Settings, faults: string[]): number | undefined {
  const raw = env[name]?.trim()
  if (raw === undefined || raw === '') return undefined
  const value = wholeNumber(raw)
  if (value === undefined) faults.push(`${name} is "${raw}", expected micro-dollars, a whole number from 0 up`)
  return value
}

function wholeNumber(raw: string | number): number | undefined {
  const value = typeof raw === 'string' && !/^\d+$/.test(raw) ? Number.NaN : Number(raw)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
