import type { ModelView, ProviderView } from '../../model/index.ts'
import type { SettingView } from '../../config/index.ts'

/** How things stand with this Segno, without starting it. */
export interface Diagnosis {
  readonly version: string
  readonly node: string
  readonly home: { readonly path: string; readonly fault?: string }
  readonly standard: string
  readonly why: string
  /** why nothing could be asked */
  readonly fault?: string
  readonly providers: readonly ProviderView[]
  readonly models: readonly ModelView[]
  /** where commands of the bash tool run, or what is missing for that */
  readonly sandbox: { readonly ok: boolean; readonly note: string }
  readonly settings: readonly SettingView[]
  /** what came of asking the standard model, if that was wanted */
  readonly asked?: { readonly ok: boolean; readonly text: string }
}

export interface DoctorFlags {
  readonly json?: boolean
  readonly settings?: boolean
}

export function doctorCommand(diagnosis: Diagnosis, flags: DoctorFlags): { text: string; ok: boolean } {
  const ok = diagnosis.home.fault === undefined && diagnosis.fault === undefined && diagnosis.asked?.ok !== false
  if (flags.json) return { ok, text: JSON.stringify({ ok, ...diagnosis }, null, 2) }
  if (flags.settings) return { ok, text: settingsTable(diagnosis.settings) }
  const { home, providers, models, standard, why, asked } = diagnosis
  const lines = [
    `Segno ${diagnosis.version} on Node ${diagnosis.node}`,
    `home      ${home.path} (${home.fault ?? 'can be written'})`,
    `model     ${standard}: ${why}`,
    ...(asked ? [`asked     ${asked.text}`] : []),
    `bash      ${diagnosis.sandbox.note}`,
    '',
    'Providers',
    ...table(providers.map(({ name, usable, note }) => [mark(usable), name, note])),
    '',
    'Models',
    ...table(models.map(modelRow)),
    '',
    'segno doctor --ask tries the model; --settings lists every setting; docs/models.md tells how to add models.',
  ]
  return { ok, text: lines.join('\n') }
}

const mark = (usable: boolean): string => (usable ? '+' : '-')

function modelRow({ key, provider, modelId, window, prices, pricesAssumed, missing, standard }: ModelView): string[] {
  const known = prices ? `$${dollars(prices.input)} in, $${dollars(prices.output)} out` : 'price unknown'
  const cost = pricesAssumed ? `${known} (assumed)` : known
  const name = standard ? `${key} (standard)` : key
  const what = key === `${provider}:${modelId}` || key === provider ? '' : `${provider}:${modelId}`
  return [mark(missing === undefined), name, what, `${window.toLocaleString('en')} tokens`, cost, missing ?? '']
}

const dollars = (micro: number): string => (micro / 1_000_000).toFixed(2)

function settingsTable(settings: readonly SettingView[]): string {
  const rows = settings.map((one) => [one.name, one.value || '-', one.default || '-', one.origin])
  return table([['setting', 'value', 'default', 'from'], ...rows]).join('\n')
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((most, row) => {
    row.forEach((cell, at) => (most[at] = Math.max(most[at] ?? 0, cell.length)))
    return most
  }, [])
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}
