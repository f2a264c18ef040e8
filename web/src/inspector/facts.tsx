import type { ReactNode } from 'react'
import { CopyButton } from '../parts/copy-button.tsx'

interface FactsProps {
  readonly of: readonly (readonly [name: string, value: ReactNode])[]
  /** in two columns: they are short */
  readonly two?: boolean
}

/** Names and values, one below the other. What has no value is left out. */
export function Facts({ of, two = false }: FactsProps) {
  return (
    <dl className={two ? 'insp-facts two' : 'insp-facts'}>
      {of.map(([name, value]) =>
        value === undefined || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** An id, shortened, with a button to copy it. */
export function Id({ name, value, short = 12 }: { name: string; value: string; short?: number }) {
  return (
    <span className="insp-id">
      <code title={value}>{value.length > short ? `${value.slice(0, short)}…` : value}</code>
      <CopyButton label={`Copy ${name}`} text={() => value} />
    </span>
  )
}
