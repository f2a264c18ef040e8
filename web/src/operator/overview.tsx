import { may } from '../state/me.ts'
import { Budgets } from './budgets.tsx'
import { Charts } from './metrics/charts.tsx'
import { Nothing } from './faces.tsx'
import { Numbers } from './numbers.tsx'
import type { PageProps } from './page-props.ts'
import { Part } from './part.tsx'

/** What needs a person, what it costs, how it goes: in one look. */
export function Overview({ me }: PageProps) {
  return (
    <>
      {may(me, 'chat:read') && <Numbers me={me} />}
      <Part title="How it goes">
        {may(me, 'audit:read') ? (
          <Charts />
        ) : (
          <Nothing icon="key">
            Live charts need the permission <code>audit:read</code>.
          </Nothing>
        )}
      </Part>
      {may(me, 'user:read') && (
        <Part title="Budgets">
          <Budgets />
        </Part>
      )}
    </>
  )
}
