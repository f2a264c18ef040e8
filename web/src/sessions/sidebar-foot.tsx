import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { keyState, storeKey } from '../api/key.ts'
import { may, useMe } from '../state/me.ts'
import type { Preferences } from '../state/stored-preferences.ts'
import { prefer, usePreferences } from '../state/preferences.ts'
import { hrefOf, useRoute } from '../state/route.ts'
import { useStore } from '../state/store.ts'
import { visibleText } from '../text/visible.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { showKeyEntry, showKeys } from './overlay.ts'

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
  const { key, wanted } = useStore(keyState)
  return (
    <footer className="side-foot">
      {(may(me, 'audit:read') || may(me, 'user:read')) && (
        <a
          className="entry side-operator"
          href={hrefOf({ page: 'operator', tab: 'overview' })}
          aria-current={route.page === 'operator' ? 'page' : undefined}
        >
          <Icon name="chart" />
          Operator pages
        </a>
      )}
      <div className="side-me">
        <span className="side-who ellipsis" title={me && visibleText(`${me.id}, tenant ${me.tenant}`)}>
          {me ? <VisibleText text={me.id} /> : '…'}
          <small>{me && `Segno ${me.version}`}</small>
        </span>
        {(key !== '' || wanted !== '') && <KeyMenu hasKey={key !== ''} />}
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

function KeyMenu({ hasKey }: { hasKey: boolean }) {
  const enter = { label: hasKey ? 'Use another key…' : 'Enter a key…', icon: 'key', run: showKeyEntry } as const
  const forget = {
    label: 'Forget the key',
    note: 'in this browser; it stays valid',
    icon: 'trash',
    danger: true,
    run() {
      storeKey('')
      location.reload()
    },
  } as const
  return (
    <Menu label="Your key" className="up" button={<Icon name="key" />} entries={hasKey ? [enter, forget] : [enter]} />
  )
}
