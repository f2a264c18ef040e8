import type { ListedModel, Page } from '../../../src/client/index.ts'
import { count, duration, money } from '../parts/format.ts'
import { usePolled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import type { PageProps } from './filters.ts'
import { Nothing, PolledList } from './list-states.tsx'
import { State } from './parts.tsx'
import { ModelDetails } from './model-details.tsx'
import { Table, type Column } from './table.tsx'

const COLUMNS: readonly Column<ListedModel>[] = [
  ['Model', (model) => <Name model={model} />, 'op-wide'],
  ['Can be used', (model) => <Usable model={model} />, 'op-wide'],
  ['Context window', ({ window }) => count(window), 'op-number'],
  ['Input per 1M', ({ prices, pricesAssumed }) => priceOf(prices?.input, pricesAssumed), 'op-number'],
  ['Output per 1M', ({ prices, pricesAssumed }) => priceOf(prices?.output, pricesAssumed), 'op-number'],
  ['Falls back to', ({ fallback }) => <VisibleText text={fallback ?? '–'} />],
]

/** Which models there are, which can be used, and what is missing for the others. */
export function Models({ me }: PageProps) {
  const list = usePolled<Page<ListedModel>>('/api/models', 3000)
  return (
    <>
      <p className="op-lead muted">
        The default model is <VisibleText as="strong" text={me.model} /> (<VisibleText text={me.modelChosenBecause} />
        ).
      </p>
      <PolledList list={list} empty={<Nothing icon="warn">There are no models.</Nothing>}>
        {(items) => (
          <Table
            columns={COLUMNS}
            items={items.toSorted(usableFirst)}
            keyOf={({ key }) => key}
            detail={(model) => <ModelDetails model={model} />}
          />
        )}
      </PolledList>
    </>
  )
}

function Name({ model: { key, standard, provider, model } }: { model: ListedModel }) {
  return (
    <span className="op-name">
      <VisibleText as="strong" text={key} />
      {standard && <span className="chip">default</span>}
      <VisibleText as="span" className="muted" text={`${provider} · ${model}`} />
    </span>
  )
}

function priceOf(price: number | undefined, isAssumed: boolean | undefined): string {
  if (price === undefined) return 'price unknown'
  return isAssumed ? `${money(price)} (assumed)` : money(price)
}

function Usable({ model: { usable, missing = '', leftAloneUntil } }: { model: ListedModel }) {
  const restMs = leftAloneUntil === undefined ? 0 : Date.parse(leftAloneUntil) - Date.now()
  const [icon, tone, words] = !usable
    ? (['key', 'muted', missing] as const)
    : restMs > 0
      ? (['pause', 'warn', `failed too often, paused for ${duration(Math.ceil(restMs / 1000) * 1000)}`] as const)
      : (['check', 'ok', 'yes'] as const)
  return (
    <State icon={icon} tone={tone}>
      <VisibleText text={words} />
    </State>
  )
}

const rank = ({ standard, usable }: ListedModel): number => (standard ? 0 : usable ? 1 : 2)
const usableFirst = (a: ListedModel, b: ListedModel): number => rank(a) - rank(b)
