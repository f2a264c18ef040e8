/** What a line about a model is made of. */
interface RowModel {
  readonly key: string
  readonly provider: string
  /** the provider's name for it */
  readonly model: string
  readonly window: number
  readonly tools: boolean
  readonly prices?: { readonly input: number; readonly output: number; readonly steps?: readonly object[] }
  readonly pricesAssumed?: boolean
  readonly missing?: string
  readonly standard: boolean
}

export function modelRow(one: RowModel): string[] {
  const { key, provider, model, window, tools, prices, pricesAssumed, missing, standard } = one
  const known = prices ? `$${dollars(prices.input)} in, $${dollars(prices.output)} out` : 'price unknown'
  const cost = `${known}${prices?.steps?.length ? ', more for long input' : ''}${pricesAssumed ? ' (assumed)' : ''}`
  const name = standard ? `${key} (default)` : key
  const what = key === `${provider}:${model}` || key === provider ? '' : `${provider}:${model}`
  const note = missing ?? (tools ? '' : 'has no tools')
  return [mark(missing === undefined), name, what, `${window.toLocaleString('en')} tokens`, cost, note]
}

const dollars = (micro: number): string => (micro / 1_000_000).toFixed(2)

export const mark = (usable: boolean): string => (usable ? '+' : '-')

export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}
