import type { Me } from '../api/shapes.ts'
import { IconButton } from '../parts/button.tsx'
import { prefer, usePreferences } from '../state/preferences.ts'
import { usePolled } from '../state/polled.ts'
import { Approvals } from './approvals.tsx'
import { Audit } from './audit.tsx'
import { Doubtful } from './doubtful.tsx'
import { Loading, Trouble } from './faces.tsx'
import { hrefWith, readFilters } from './filters.ts'
import { Models } from './models.tsx'
import './operator.css'
import { Overview } from './overview.tsx'
import type { PageProps } from './page-props.ts'
import { Rounds } from './rounds/rounds.tsx'
import { Tools } from './tools/tools.tsx'

interface Tab {
  readonly id: string
  readonly title: string
  readonly page: (props: PageProps) => React.ReactNode
}

const TABS: readonly Tab[] = [
  { id: 'overview', title: 'Overview', page: Overview },
  { id: 'rounds', title: 'Rounds', page: Rounds },
  { id: 'approvals', title: 'Approvals', page: Approvals },
  { id: 'unknown', title: 'Unknown outcomes', page: Doubtful },
  { id: 'tools', title: 'Tools', page: Tools },
  { id: 'models', title: 'Models', page: Models },
  { id: 'audit', title: 'Audit', page: Audit },
]

/** For who runs Segno for others: why a round ended, what it cost, what waits for a decision. */
export function Operator({ tab }: { tab: string }) {
  const { sidebar } = usePreferences()
  const { value: me, error } = usePolled<Me>('/api/me', 60_000)
  const [id] = tab.split('?')
  const shown = TABS.find((one) => one.id === id)
  return (
    <div className="op">
      <header className="op-head">
        <div className="op-title">
          {!sidebar && <IconButton label="Show conversations" icon="menu" onClick={() => prefer({ sidebar: true })} />}
          <h1>Operator</h1>
        </div>
        <nav className="op-tabs" aria-label="Operator pages">
          {TABS.map(({ id: name, title }) => (
            <a key={name} href={hrefWith(name)} aria-current={name === id ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      <div className="op-body" key={id}>
        {!me && (error === undefined ? <Loading /> : <Trouble error={error} />)}
        {me && shown && <shown.page me={me} filters={readFilters(location.hash)} />}
        {me && !shown && <p>There is no such page. Choose one above.</p>}
      </div>
    </div>
  )
}
