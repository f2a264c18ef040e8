import type { ListedModel } from '../../../src/client/index.ts'
import type { Usage } from '../../../src/contract/message.ts'
import { count, money } from '../parts/format.ts'

type Prices = NonNullable<ListedModel['prices']>

/** The use of one model, where it is known. */
interface Used {
  readonly model: string
  readonly usage?: Usage | undefined
}

/** How much of the input came from the provider's cache, how much was put there, and what that saved at today's prices. */
export function cacheWords(uses: readonly Used[], models: readonly ListedModel[]): string {
  const sum = (name: 'cachedRead' | 'cachedWrite'): number =>
    uses.reduce((total, { usage }) => total + (usage?.[name] ?? 0), 0)
  const [read, written] = [sum('cachedRead'), sum('cachedWrite')]
  if (read + written === 0) return ''
  const saved = uses.map(({ model, usage }) => savedBy(usage, models.find(({ key }) => key === model)?.prices))
  return [
    `${count(read)} read`,
    ...(written > 0 ? [`${count(written)} written`] : []),
    ...(saved.includes(undefined) ? [] : [savedWords(saved.reduce<number>((total, one) => total + (one ?? 0), 0))]),
  ].join(' · ')
}

/** Micro-dollars; negative where writing cost more than reading has saved. Not known without a price. */
export function savedBy(usage: Usage | undefined, prices: Prices | undefined): number | undefined {
  const { input = 0, cachedRead = 0, cachedWrite = 0 } = usage ?? {}
  if (cachedRead + cachedWrite === 0) return 0
  if (!prices) return undefined
  const steps = prices.steps?.filter(({ above }) => input > above) ?? []
  const rates = steps.toSorted((one, other) => one.above - other.above).at(-1) ?? prices
  const perMillion =
    cachedRead * (rates.input - (rates.cachedRead ?? rates.input)) -
    cachedWrite * ((rates.cachedWrite ?? rates.input) - rates.input)
  return perMillion / 1_000_000
}

function savedWords(saved: number): string {
  if (saved === 0) return 'saved nothing'
  return saved > 0 ? `saved ${money(saved)}` : `cost ${money(-saved)} more so far`
}
