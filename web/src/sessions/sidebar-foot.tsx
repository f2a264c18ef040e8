import type { MeView } from '../../../src/client/index.ts'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/button.tsx'
import { Menu, type MenuEntry } from '../parts/menu.tsx'
import { keyState, storeKey } from '../api/key.ts'
import { isOperator, may } from '../state/may.ts'
import { useMe } from '../state/me.ts'
import type { Preferences } from '../state/stored-preferences.ts'
import { prefer, usePreferences } from '../state/preferences.ts'
import { hrefOf, useRoute } from '../state/route.ts'
import { useStore } from '../state/store.ts'
import { visibleText } from '../text/visible.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { showKeyEntry, showKeys, showPreferences } from './overlay.ts'

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
  return (
    <footer className="side-foot">
      {isOperator(me) && (
        <a
          className="entry side-operator"
          href={hrefOf({ page: 'operator', tab: 'overview' })}
          aria-current={route.page === 'operator' ? 'page' : undefined}
        >
          <Icon name="chart" />
          Operator pages
        </a>
      )}
      {may(me, 'prompt:read') && !isOperator(me) && (
        <a
          className="entry side-operator"
          href={hrefOf({ page: 'operator', tab: 'prompts' })}
          aria-current={route.page === 'operator' ? 'page' : undefined}
        >
          <Icon name="edit" />
          Prompts
        </a>
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

/** What belongs to the user: preferences for every answer, and the key of this browser. */
function UserMenu({ me }: { me: MeView | undefined }) {
  const { key, wanted } = useStore(keyState)
  const hasKey = key !== ''
  const entries: MenuEntry[] = [
    { label: 'Preferences…', icon: 'edit', note: 'for every answer', disabled: !me, run: showPreferences },
  ]
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
