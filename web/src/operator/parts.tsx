import type { ReactNode } from 'react'
import { Icon, type IconName } from '../parts/icon.tsx'

/** A part of a page, under a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="op-section" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** How something is, in words with an icon; never by colour alone. */
export function State({ icon, tone, children }: { icon: IconName; tone: string; children: ReactNode }) {
  return (
    <span className={`op-state ${tone}`}>
      <Icon name={icon} />
      <span>{children}</span>
    </span>
  )
}
