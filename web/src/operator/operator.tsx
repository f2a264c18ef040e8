import { useEffect, useRef } from 'react'
import type { Me } from '../api/shapes.ts'
import { SidebarButton } from '../conversation/header.tsx'
import { refresh, usePolled } from '../state/polled.ts'
import { Approvals } from './approvals.tsx'
import { Audit } from './audit.tsx'
import { Doubtful } from './doubtful.tsx'
import { Loading, Stale, Trouble } from './faces.tsx'
import { hrefWith, readFilters } from './filters.ts'
import { Models } from './models.tsx'
import './css/frame.css'
import './css/faces.css'
import './css/overview.css'
import './css/tables.css'
import './css/cards.css'
import './css/small-screens.css'
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
  const { value: me, error } = usePolled<Me>('/api/me', 60_000)
  const { error: offline } = usePolled('/health', 3000)
  useEffect(() => {
    if (offline === undefined) refresh('/api/me')
  }, [offline])
  const [id] = tab.split('?')
  const shown = TABS.find((one) => one.id === id)
  const tabs = useRef<HTMLElement>(null)
  // On a phone not all of them fit.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [id])
  return (
    <div className="op">
      <header className="op-head">
        <div className="op-title">
          <SidebarButton />
          <h1>Operator</h1>
        </div>
        <nav ref={tabs} className="op-tabs" aria-label="Operator pages">
          {TABS.map(({ id: name, title }) => (
            <a key={name} href={hrefWith(name)} aria-current={name === id ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      <div className="op-body" key={id} role="region" aria-label={shown?.title ?? 'Operator'} tabIndex={0}>
        {offline !== undefined && <Trouble error={offline} />}
        {!me && (error === undefined ? <Loading /> : <Stale error={error} />)}
        {me && shown && <shown.page me={me} filters={readFilters(location.hash)} />}
        {me && !shown && <p>There is no such page. Choose one above.</p>}
      </div>
    </div>
  )
}
