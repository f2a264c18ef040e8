import { createContext, useContext } from 'react'

/** Which labels in a text stand for passages, and how to show one. */
export interface Citing {
  readonly labels: ReadonlySet<string>
  readonly show: (label: string) => void
}

/** Of the text inside; without it labels are text. */
export const CitingContext = createContext<Citing | undefined>(undefined)

/** A label that leads to its passage. */
export function Cite({ label }: { label: string }) {
  const citing = useContext(CitingContext)
  return (
    <button type="button" className="md-cite" aria-label={`Source ${label}`} onClick={() => citing?.show(label)}>
      {label}
    </button>
  )
}
