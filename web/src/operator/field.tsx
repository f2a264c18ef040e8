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

interface SelectProps {
  readonly label: string
  readonly options: readonly (readonly [value: string, words: string])[]
  readonly value: string | undefined
  readonly choose: (value: string) => void
}

/** One of some values, by its words. */
export function Select({ label, options, value, choose }: SelectProps) {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} className="input" value={value} onChange={(event) => choose(event.target.value)}>
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

interface ChoiceProps extends Pick<SelectProps, 'label' | 'options'> {
  readonly name: string
  readonly tab: string
  readonly filters: Filters
}

/** One choice that filters a page. It changes the address; the page follows. */
export function Choice({ name, tab, filters, ...rest }: ChoiceProps) {
  const choose = (value: string): void => goWith(tab, { ...filters, [name]: value })
  return <Select {...rest} value={filters[name] ?? ''} choose={choose} />
}
