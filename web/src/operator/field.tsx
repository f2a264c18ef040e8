import { useId, type ReactNode } from 'react'
import { visibleText } from '../text/visible.ts'
import { goWith, type Filters } from './filters.ts'

/** A label above a control. */
export function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="op-field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly tab: string
  readonly filters: Filters
  readonly options: readonly (readonly [value: string, words: string])[]
}

/** One choice that filters a page. It changes the address; the page follows. */
export function Choice({ label, name, tab, filters, options }: ChoiceProps) {
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          className="input"
          value={filters[name] ?? ''}
          onChange={(event) => goWith(tab, { ...filters, [name]: event.target.value })}
        >
          {options.map(([value, words]) => (
            <option key={value} value={value}>
              {visibleText(words)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
