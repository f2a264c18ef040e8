import { CHOICES, NAMES, QUIET_HOURS, type Config, type Settings } from './config.ts'
import { LIMITS } from './limits.ts'

/** A setting as it is here, and where that comes from. */
export interface SettingView {
  readonly name: string
  readonly value: string
  readonly default: string
  readonly origin: string
}

/** `SEGNO_KEY` and keys of providers are never shown, only that they are set. */
const SECRET = /_KEY$/

/** Every setting. `sources` are those it may come from, the strongest first, each under the name it is told by. */
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
    TWO_STAGE_ENABLED: 'false',
    ...Object.fromEntries(
      Object.entries(LIMITS).map(([name, limit]) => [`SEGNO_LIMITS_${name}`, String(limit.default)]),
    ),
  }
  return NAMES.map((name) => {
    const standard = defaults[name] ?? ''
    const [origin, value] = found(name) ?? ['default', standard]
    const isSecret = SECRET.test(name) && !(name in CHOICES)
    return { name, value: isSecret && value !== '' ? '(set)' : value, default: standard, origin }
  })
}
