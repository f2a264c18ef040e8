import type { Model, Page } from '../api/shapes.ts'
import { count, duration, money } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { may } from '../state/me.ts'
import { usePolled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Listed, NotAllowed, Nothing } from './faces.tsx'
import type { PageProps } from './page-props.ts'

/** Which models there are, which can be used, and what is missing for the others. */
export function Models({ me }: PageProps) {
  const isAllowed = may(me, 'chat:read')
  const list = usePolled<Page<Model>>(isAllowed ? '/api/models' : null, 3000)
  if (!isAllowed) return <NotAllowed permission="chat:read" />
  return (
    <>
      <p className="op-lead muted">
        Where a conversation asks for no other,{' '}
        <strong>
          <VisibleText text={me.model} />
        </strong>{' '}
        answers (
        <VisibleText text={me.modelChosenBecause} />
        ).
      </p>
      <Listed list={list} empty={<Nothing icon="warn">There are no models.</Nothing>}>
        {(items) => (
          <table className="op-table">
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">Can be used</th>
                <th scope="col">Window</th>
                <th scope="col">In, a million</th>
                <th scope="col">Out, a million</th>
                <th scope="col">Falls back to</th>
              </tr>
            </thead>
            <tbody>
              {[...items].sort(usableFirst).map((model) => (
                <ModelRow key={model.key} model={model} />
              ))}
            </tbody>
          </table>
        )}
      </Listed>
    </>
  )
}

function ModelRow({ model }: { model: Model }) {
  const { key, provider, standard, window, prices, pricesAssumed, fallback } = model
  const priceOf = (price: number): string => (pricesAssumed ? `${money(price)} (assumed)` : money(price))
  return (
    <tr className="op-row">
      <td data-label="Model" className="op-wide">
        <strong>
          <VisibleText text={key} />
        </strong>
        {standard && <span className="op-badge">standard</span>}
        <div className="muted">
          <VisibleText text={`${provider} · ${model.model}`} />
        </div>
      </td>
      <td data-label="Can be used" className="op-wide">
        <Usable model={model} />
      </td>
      <td data-label="Window" className="op-number">
        {count(window)}
      </td>
      <td data-label="In, a million" className="op-number">
        {prices ? priceOf(prices.input) : 'price unknown'}
      </td>
      <td data-label="Out, a million" className="op-number">
        {prices ? priceOf(prices.output) : 'price unknown'}
      </td>
      <td data-label="Falls back to">{fallback === undefined ? '–' : <VisibleText text={fallback} />}</td>
    </tr>
  )
}

function Usable({ model: { usable, missing = '', leftAloneUntil } }: { model: Model }) {
  const restMs = leftAloneUntil === undefined ? 0 : Date.parse(leftAloneUntil) - Date.now()
  if (!usable)
    return (
      <span className="op-state muted">
        <Icon name="key" />
        <VisibleText text={missing} />
      </span>
    )
  return restMs > 0 ? (
    <span className="op-state warn">
      <Icon name="pause" />
      failed too often, left alone for {duration(Math.ceil(restMs / 1000) * 1000)}
    </span>
  ) : (
    <span className="op-state ok">
      <Icon name="check" />
      yes
    </span>
  )
}

const rank = ({ standard, usable }: Model): number => (standard ? 0 : usable ? 1 : 2)
const usableFirst = (a: Model, b: Model): number => rank(a) - rank(b)
