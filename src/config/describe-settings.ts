import { shownDatabase } from './cluster-settings.ts'
import { CHOICES, NAMES, QUIET_HOURS, type Config, type Settings } from './config.ts'
import { LIMITS } from './limits.ts'
import { shownProviders } from './provider-settings.ts'

/** A setting's value and where it comes from. */
export interface SettingView {
  readonly name: string
  readonly value: string
  readonly default: string
  readonly origin: string
}

/** Secrets are shown only as `(set)`. */
const SECRET = /_KEY$|_SECRET$/

/** All settings; `sources` in order of precedence, by the name shown. */
export function describeSettings(config: Config, sources: Readonly<Record<string, Settings>>): SettingView[] {
  const found = (name: string): [string, string] | undefined => {
    for (const [origin, settings] of Object.entries(sources)) {
      const value = settings[name]
      if (value !== undefined && value !== '') return [origin, value]
    }
    return undefined
  }
  const defaults: Readonly<Record<string, string>> = {
    SEGNO_HOME: '~/.segno',
    SEGNO_HOST: '127.0.0.1',
    SEGNO_PORT: '4747',
    SEGNO_QUIET_HOURS: QUIET_HOURS,
    SEGNO_DURABILITY: 'full',
    SEGNO_PROTOCOL: 'unified',
    SEGNO_REQUIRE_KEY: config.requireKey ? 'on' : 'off',
    SEGNO_FOUR_EYES: 'on',
    SEGNO_SECRET_KEY_FILE: config.databaseUrl === undefined ? '~/.segno/secret.key' : '',
    TWO_STAGE_ENABLED: 'false',
    ...Object.fromEntries(
      Object.entries(LIMITS).map(([name, limit]) => [`SEGNO_LIMITS_${name}`, String(limit.default)]),
    ),
  }
  return NAMES.map((name) => {
    const standard = defaults[name] ?? ''
    const [origin, value] = found(name) ?? ['default', standard]
    return { name, value: value === '' ? '' : shown(name, value), default: standard, origin }
  })
}

function shown(name: string, value: string): string {
  if (name === 'SEGNO_DATABASE_URL') return shownDatabase(value)
  if (name === 'SEGNO_PROVIDERS') return shownProviders(value)
  return SECRET.test(name) && !(name in CHOICES) ? '(set)' : value
}
