import { useState } from 'react'
import type { Session } from '../../../src/client/index.ts'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { useFocusBack } from '../parts/focus-back.ts'
import { ago } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { RenameField } from '../parts/rename-field.tsx'
import { hrefOf } from '../state/route.ts'
import { visibleText } from '../text/visible.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { changeSession } from './session-actions.ts'
import { sessionMenu } from './session-menu.ts'
import { SessionState } from './session-state.tsx'

interface SessionRowProps {
  readonly session: Session
  readonly isCurrent: boolean
  /** the row of the list that Tab reaches */
  readonly isStop: boolean
}

/** A conversation in the list: its name, what it is doing, and what can be done with it. */
export function SessionRow({ session, isCurrent, isStop }: SessionRowProps) {
  const [mode, setMode] = useState<'shown' | 'renaming' | 'deleting'>('shown')
  const [problem, attempt] = useAttempt()
  const back = useFocusBack<HTMLAnchorElement>()
  const title = visibleText(session.title)

  return (
    <li
      className={isCurrent ? 'side-row current' : 'side-row'}
      data-session={session.id}
      onContextMenu={(event) => {
        const opener = event.currentTarget.querySelector<HTMLElement>('.menu-opener')
        if (!opener || mode !== 'shown') return
        event.preventDefault()
        opener.click()
      }}
      onFocus={(event) => event.target.closest('.menu-list')?.scrollIntoView({ block: 'nearest' })}
    >
      {mode === 'renaming' ? (
        <RenameField
          className="side-rename"
          label="New title"
          title={session.title}
          onDone={(next, byKey) => {
            back.want(byKey)
            setMode('shown')
            if (next !== undefined) void attempt(changeSession(session.id, { title: next }))
          }}
        />
      ) : (
        <>
          <a
            ref={back.ref}
            className="entry side-link"
            href={hrefOf({ page: 'session', id: session.id })}
            tabIndex={isStop ? 0 : -1}
            aria-current={isCurrent ? 'page' : undefined}
            title={`${title}\nlast used ${ago(session.usedAt)}`}
          >
            {session.parent && (
              <span className="side-fork" title="A fork of another conversation">
                <Icon name="fork" size={14} />
                <span className="sr-only">Fork: </span>
              </span>
            )}
            <VisibleText as="span" className="side-title ellipsis" text={session.title} />
            {session.open && <SessionState open={session.open} />}
          </a>
          <Menu
            label={`Actions for ${title}`}
            button={<Icon name="more" />}
            entries={[
              { label: 'Rename', icon: 'edit', run: () => setMode('renaming') },
              ...sessionMenu(session, attempt),
              { label: 'Delete…', icon: 'trash', danger: true, run: () => setMode('deleting') },
            ]}
          />
        </>
      )}
      <Problem text={problem} />
      {mode === 'deleting' && <DeleteDialog session={session} onClose={() => setMode('shown')} />}
    </li>
  )
}
