import type { ListedModel } from '../../../src/client/index.ts'
import { count, money } from '../parts/format.ts'
import { VisibleText } from '../text/visible-text.tsx'

type Prices = NonNullable<ListedModel['prices']>
type Rates = Omit<Prices, 'steps'>

/** What a model can do, and all its prices. */
export function ModelDetails({ model }: { model: ListedModel }) {
  const { maxOutput, prices, pricesAssumed, learnedWindow } = model
  const [can, cannot] = abilitiesOf(model)
  return (
    <>
      {can !== '' && <VisibleText as="p" text={`Can: ${can}.`} />}
      {cannot !== '' && <VisibleText as="p" text={`Cannot: ${cannot}.`} />}
      {learnedWindow !== undefined && (
        <p>Its provider said lately that it sees only {count(learnedWindow)} tokens; so no more are sent for a day.</p>
      )}
      <p>Longest answer: {count(maxOutput)} tokens.</p>
      {prices && <PriceList prices={prices} />}
      {pricesAssumed && <p className="muted">Nobody knows its prices: SEGNO_ASSUMED_PRICES says what to assume.</p>}
    </>
  )
}

const ABILITIES = {
  tools: 'use tools',
  parallelCalls: 'call several at once',
  reasoning: 'think before it answers',
  takesTemperature: 'take a temperature',
  structuredOutput: 'be held to a JSON schema',
} as const

function abilitiesOf({ capabilities, files = 'none' }: ListedModel): [can: string, cannot: string] {
  const named = Object.entries(ABILITIES).map(
    ([name, words]) => [words, capabilities[name as keyof typeof ABILITIES]] as const,
  )
  const all = [...named, [`be shown ${files === 'none' ? 'pictures' : files}`, files !== 'none'] as const]
  const some = (is: boolean): string => all.flatMap(([words, can]) => (can === is ? [words] : [])).join(', ')
  return [some(true), some(false)]
}

/** Longer input has other prices, for the whole call. */
function PriceList({ prices: { steps = [], ...rates } }: { prices: Prices }) {
  const rows: readonly (readonly [string, Rates])[] = [
    ['A million tokens', rates],
    ...steps
      .toSorted((one, other) => one.above - other.above)
      .map((step) => [`With input above ${count(step.above)}`, step] as const),
  ]
  return (
    <ul className="plain-list" aria-label="Prices of a million tokens">
      {rows.map(([name, { input, output, cachedRead = input, cachedWrite = input }]) => (
        <li key={name}>
          {name}: {money(input)} in, {money(cachedRead)} where the cache is read, {money(cachedWrite)} where it is
          written, {money(output)} out
        </li>
      ))}
    </ul>
  )
}
