import { useState } from 'react'
import type { Session } from '../../../src/client/index.ts'
import { openInspector } from '../inspector/inspected.ts'
import { IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { DeleteDialog } from '../sessions/delete-dialog.tsx'
import { changeSession, compactSession, forkSession } from '../sessions/session-actions.ts'
import { sessionMenu } from '../sessions/session-menu.ts'
import { prefer, usePreferences } from '../state/preferences.ts'
import { AnswerMenu } from './answer-menu.tsx'
import { ModelMenu, ProtocolMenu } from './switches.tsx'
import { Title } from './title.tsx'
import { attempt } from './trouble.ts'

/** Title, menus and switches of a conversation. */
export function Header({ session, last }: { session: Session; last: number }) {
  const [isNaming, setNaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { inspector } = usePreferences()
  const { id } = session
  return (
    <header className="conv-header row">
      <SidebarButton />
      <Title session={session} isNaming={isNaming} setNaming={setNaming} />
      <Menu
        label="Conversation menu"
        className="conv-session-menu"
        button={<Icon name="more" />}
        entries={[
          { label: 'Rename', icon: 'edit', run: () => setNaming(true) },
          { label: 'Fork here', icon: 'fork', run: () => void attempt(forkSession(id, last)) },
          { label: 'Summarise earlier messages', icon: 'shorten', run: () => void attempt(compactSession(id)) },
          ...sessionMenu(session, attempt),
          { label: 'Delete…', icon: 'trash', danger: true, run: () => setDeleting(true) },
        ]}
      />
      <span className="conv-space" />
      <ModelMenu model={session.model} choose={(model) => void attempt(changeSession(id, { model }))} />
      <AnswerMenu model={session.model} params={session} change={(changes) => changeSession(id, changes)} />
      <ProtocolMenu protocol={session.protocol} choose={(protocol) => void attempt(changeSession(id, { protocol }))} />
      <OutputsButton />
      <IconButton
        label="How this came about"
        icon="panel"
        className="conv-inspector-button"
        onClick={() => (inspector ? prefer({ inspector: false }) : openInspector())}
        aria-pressed={inspector}
      />
      {isDeleting && <DeleteDialog session={session} onClose={() => setDeleting(false)} />}
    </header>
  )
}

/** Opens the list of conversations. */
export function SidebarButton() {
  const { sidebar } = usePreferences()
  return (
    <IconButton
      label="Conversations"
      icon="menu"
      className={sidebar ? 'conv-sidebar-button is-open' : 'conv-sidebar-button'}
      aria-expanded={sidebar}
      onClick={() => prefer({ sidebar: !sidebar })}
    />
  )
}

function OutputsButton() {
  const { outputs } = usePreferences()
  return (
    <button
      type="button"
      className="icon-button conv-toggle"
      aria-pressed={outputs}
      aria-label="Show tool outputs"
      title={outputs ? 'Tool outputs are shown' : 'Show tool outputs'}
      onClick={() => prefer({ outputs: !outputs })}
    >
      <Icon name="tool" />
    </button>
  )
}
