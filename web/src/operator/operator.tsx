import { useEffect, useRef } from 'react'
import type { MeView } from '../../../src/client/index.ts'
import { SidebarButton } from '../conversation/header.tsx'
import { isOperator, may } from '../state/may.ts'
import { refresh, usePolled } from '../state/polled.ts'
import { Approvals } from './approvals.tsx'
import { Audit } from './audit.tsx'
import { UnknownOutcomes } from './unknown-outcomes.tsx'
import { Loading, NotAllowed, Stale, Trouble } from './list-states.tsx'
import { hrefWith, readFilters, type PageProps } from './filters.ts'
import { Models } from './models.tsx'
import './css/frame.css'
import './css/overview.css'
import './css/tables.css'
import './css/cards.css'
import './css/small-screens.css'
import { Jobs } from './jobs.tsx'
import { Overview } from './overview.tsx'
import { Prompts } from './prompts/prompts.tsx'
import { Knowledge } from './knowledge/knowledge.tsx'
import { Memories } from '../memories/memories.tsx'
import { Providers } from './providers/providers.tsx'
import { Rounds } from './rounds/rounds.tsx'
import { Tools } from './tools/tools.tsx'
import { Workflows } from './workflows/workflows.tsx'

interface Tab {
  readonly id: string
  readonly title: string
  /** the permission without which it has nothing to show */
  readonly needs?: string
  /** also for people who see no other of these pages; `own`: not about others, so it is not among them */
  readonly alone?: 'own' | true
  readonly page: (props: PageProps) => React.ReactNode
}

const TABS: readonly Tab[] = [
  { id: 'overview', title: 'Overview', page: Overview },
  { id: 'rounds', title: 'Rounds', needs: 'chat:read', page: Rounds },
  { id: 'approvals', title: 'Approvals', needs: 'chat:read', page: Approvals },
  { id: 'unknown', title: 'Unknown outcomes', needs: 'chat:read', page: UnknownOutcomes },
  { id: 'tools', title: 'Tools', needs: 'chat:read', page: Tools },
  { id: 'models', title: 'Models', needs: 'chat:read', page: Models },
  { id: 'providers', title: 'Providers', needs: 'operator', page: Providers },
  { id: 'prompts', title: 'Prompts', needs: 'prompt:read', alone: true, page: Prompts },
  { id: 'knowledge', title: 'Knowledge', needs: 'knowledge:read', alone: true, page: Knowledge },
  { id: 'workflows', title: 'Workflows', alone: true, page: Workflows },
  { id: 'jobs', title: 'Jobs', needs: 'operator', page: Jobs },
  { id: 'audit', title: 'Audit', needs: 'audit:read', page: Audit },
  { id: 'memories', title: 'Memories', needs: 'memory:read', alone: 'own', page: Memories },
]

/** For who runs Segno for others: why a round ended, what it cost, what waits for a decision. */
export function Operator({ tab }: { tab: string }) {
  const { value: me, error } = usePolled<MeView>('/api/me', 60_000)
  const { error: offline } = usePolled('/health', 3000)
  useEffect(() => {
    if (offline === undefined) refresh('/api/me')
  }, [offline])
  const [id] = tab.split('?')
  const shown = TABS.find((one) => one.id === id)
  const isAlone = shown?.alone === 'own' || (shown?.alone === true && me !== undefined && !isOperator(me))
  const tabs = useRef<HTMLElement>(null)
  // On a phone not all of them fit.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [id])
  return (
    <div className="op">
      <header className="op-head">
        <div className="op-title row">
          <SidebarButton />
          <h1>{isAlone ? shown.title : 'Operator'}</h1>
        </div>
        {!isAlone && (
          <nav ref={tabs} className="tabs op-tabs" aria-label="Operator pages">
            {TABS.filter(({ alone }) => alone !== 'own').map(({ id: name, title }) => (
              <a key={name} href={hrefWith(name)} aria-current={name === id ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </nav>
        )}
      </header>
      <div className="op-body" key={id} role="region" aria-label={shown?.title ?? 'Operator'} tabIndex={0}>
        {offline !== undefined && <Trouble error={offline} />}
        {!me && (error === undefined ? <Loading /> : <Stale error={error} />)}
        {me && <TabPage shown={shown} me={me} />}
      </div>
    </div>
  )
}

function TabPage({ shown, me }: { shown: Tab | undefined; me: MeView }) {
  if (!shown) return <p>There is no such page. Choose one above.</p>
  if (shown.needs && !may(me, shown.needs)) return <NotAllowed permission={shown.needs} />
  return <shown.page me={me} filters={readFilters(location.hash)} />
}
