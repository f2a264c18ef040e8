import type { MeView } from '../../../src/client/index.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { IconButton } from '../parts/button.tsx'
import { Menu, type MenuEntry } from '../parts/menu.tsx'
import { keyState, storeKey } from '../api/key.ts'
import { isOperator } from '../state/may.ts'
import { useMe } from '../state/me.ts'
import type { Preferences } from '../state/stored-preferences.ts'
import { prefer, usePreferences } from '../state/preferences.ts'
import { goTo, hrefOf, useRoute } from '../state/route.ts'
import { useStore } from '../state/store.ts'
import { visibleText } from '../text/visible.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { showKeyEntry, showKeys, showPreferences } from './overlay.ts'
import { MEMORIES, SHARED_PAGES } from './pages.ts'

const THEMES: Readonly<Record<Preferences['theme'], string>> = {
  system: 'Same as the system',
  light: 'Light',
  dark: 'Dark',
}

/** Who uses the page, how it looks, and the way to what operators see. */
export function SidebarFoot() {
  const me = useMe()
  const route = useRoute()
  const { theme } = usePreferences()
  const [tab] = route.page === 'operator' ? route.tab.split('?') : []
  return (
    <footer className="side-foot">
      {isOperator(me) && (
        <PageLink
          tab="overview"
          icon="chart"
          title="Operator pages"
          isHere={tab !== undefined && tab !== MEMORIES.tab}
        />
      )}
      {SHARED_PAGES.map(({ isFor, ...page }) =>
        isFor(me) && !isOperator(me) ? <PageLink key={page.tab} {...page} isHere={tab === page.tab} /> : null,
      )}
      <div className="side-me">
        <UserMenu me={me} />
        <Menu
          label="Theme"
          className="up"
          button={<Icon name={theme === 'dark' ? 'moon' : 'sun'} />}
          entries={(Object.keys(THEMES) as Preferences['theme'][]).map((name) => ({
            label: THEMES[name],
            checked: name === theme,
            run: () => prefer({ theme: name }),
          }))}
        />
        <IconButton label="Keyboard shortcuts" icon="question" onClick={showKeys} />
      </div>
    </footer>
  )
}

interface PageLinkProps {
  readonly tab: string
  readonly icon: IconName
  readonly title: string
  readonly isHere: boolean
}

function PageLink({ tab, icon, title, isHere }: PageLinkProps) {
  return (
    <a
      className="entry side-operator"
      href={hrefOf({ page: 'operator', tab })}
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon name={icon} />
      {title}
    </a>
  )
}

/** What belongs to the user: preferences for every answer, and the key of this browser. */
function UserMenu({ me }: { me: MeView | undefined }) {
  const { key, wanted } = useStore(keyState)
  const hasKey = key !== ''
  const entries: MenuEntry[] = [
    { label: 'Preferences…', icon: 'edit', note: 'for every answer', disabled: !me, run: showPreferences },
  ]
  if (MEMORIES.isFor(me))
    entries.push({
      label: MEMORIES.title,
      icon: MEMORIES.icon,
      note: 'what Segno remembers about you',
      run: () => goTo({ page: 'operator', tab: MEMORIES.tab }),
    })
  if (hasKey || wanted !== '')
    entries.push({ label: hasKey ? 'Use another key…' : 'Enter a key…', icon: 'key', run: showKeyEntry })
  if (hasKey)
    entries.push({
      label: 'Forget the key',
      note: 'in this browser; it stays valid',
      icon: 'trash',
      danger: true,
      run() {
        storeKey('')
        location.reload()
      },
    })
  return (
    <Menu
      label={me ? visibleText(`${me.id} Segno ${me.version}, tenant ${me.tenant}`) : 'You'}
      className="up side-user"
      button={
        <>
          <span className="side-who ellipsis">
            {me ? <VisibleText text={me.id} /> : '…'} <small>{me && `Segno ${me.version}`}</small>
          </span>
          <Icon name="more" />
        </>
      }
      entries={entries}
    />
  )
}
