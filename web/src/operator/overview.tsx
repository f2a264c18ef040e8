import { may } from '../state/may.ts'
import { Budgets } from './budgets.tsx'
import { Charts } from './metrics/charts.tsx'
import type { PageProps } from './filters.ts'
import { Nothing } from './list-states.tsx'
import { Numbers } from './numbers.tsx'
import { Section } from './parts.tsx'

/** What needs a person, what it costs, how it goes: in one look. */
export function Overview({ me }: PageProps) {
  return (
    <>
      {may(me, 'chat:read') && <Numbers me={me} />}
      <Section title="How it goes">
        {may(me, 'audit:read') ? (
          <Charts />
        ) : (
          <Nothing icon="key">
            Live charts need the permission <code>audit:read</code>.
          </Nothing>
        )}
      </Section>
      {may(me, 'user:read') && (
        <Section title="Budgets">
          <Budgets />
        </Section>
      )}
    </>
  )
}
