import { useEffect, useState } from 'react'
import { IconButton } from '../parts/button.tsx'
import { Fold } from '../parts/fold-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { prefer } from '../state/preferences.ts'
import { hrefOf, useRoute } from '../state/route.ts'
import { showPalette } from './overlay.ts'
import { SessionGroups } from './session-groups.tsx'
import { SidebarFoot } from './sidebar-foot.tsx'
import { Waiting } from './waiting.tsx'
import './css/sidebar.css'
import './css/rows.css'
import './css/dialogs.css'

export const SEARCH_ID = 'side-search'

const PALETTE_KEY = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** The list of conversations, what waits for the user, and links to everything else. */
export function Sidebar() {
  const route = useRoute()
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), 200)
    return () => clearTimeout(timer)
  }, [typed])

  return (
    <div className="side">
      <div className="side-head row">
        <span className="side-brand row">
          <img src="/icon.svg" alt="" width="20" height="20" />
          Segno
        </span>
        <IconButton label="Close the sidebar" icon="cross" onClick={() => prefer({ sidebar: false })} />
      </div>
      <a
        className="button side-new"
        href={hrefOf({ page: 'new' })}
        aria-current={route.page === 'new' ? 'page' : undefined}
      >
        <Icon name="plus" />
        New conversation
      </a>
      <div className="side-search" role="search">
        <Icon name="search" />
        <input
          id={SEARCH_ID}
          className="input"
          type="search"
          aria-label="Search conversations"
          placeholder="Search"
          title="Searches titles. Press / to come here."
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && typed !== '') {
              event.preventDefault()
              event.stopPropagation()
              setTyped('')
            } else if (event.key === 'ArrowDown') {
              event.preventDefault()
              document.querySelector<HTMLElement>('.side-link')?.focus()
            }
          }}
        />
        <button type="button" className="side-all" title="Go to or do anything" onClick={showPalette}>
          <span className="sr-only">Go to or do anything</span>
          <Icon name="more" />
          <kbd>{PALETTE_KEY}</kbd>
        </button>
      </div>
      <div className="side-scroll">
        <Waiting />
        <SessionGroups search={search} />
        <section className="side-archive" aria-label="Archived conversations">
          <Fold className="side-fold" head="Archived">
            <SessionGroups search={search} archived />
          </Fold>
        </section>
      </div>
      <SidebarFoot />
    </div>
  )
}
