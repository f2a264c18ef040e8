import type { ReactNode } from 'react'

/** A part of a page, under a heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="op-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
