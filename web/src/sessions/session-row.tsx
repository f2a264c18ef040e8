import { useState } from 'react'
import { wordsOf } from '../api/problem.ts'
import type { Session } from '../api/shapes.ts'
import { useFocusBack } from '../parts/focus-back.ts'
import { ago } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { RenameField } from '../parts/rename-field.tsx'
import { hrefOf } from '../state/route.ts'
import { visibleText } from '../text/visible.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { changeSession, exportSession } from './session-actions.ts'
import { SessionState } from './session-state.tsx'

/** A conversation in the list: its name, what it is doing, and what can be done with it. */
export function SessionRow({
  session,
  isCurrent,
  isStop,
}: {
  session: Session
  isCurrent: boolean
  /** the one of the list that Tab reaches */
  isStop: boolean
}) {
  const [mode, setMode] = useState<'shown' | 'renaming' | 'deleting'>('shown')
  const [problem, setProblem] = useState<string>()
  const back = useFocusBack<HTMLAnchorElement>()
  const title = visibleText(session.title)
  const attempt = (work: Promise<unknown>): void => {
    setProblem(undefined)
    work.catch((error: unknown) => setProblem(wordsOf(error)))
  }

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
            if (next !== undefined) attempt(changeSession(session.id, { title: next }))
          }}
        />
      ) : (
        <>
          <a
            ref={back.ref}
            className="side-link"
            href={hrefOf({ page: 'session', id: session.id })}
            tabIndex={isStop ? 0 : -1}
            aria-current={isCurrent ? 'page' : undefined}
            title={`${title}\n${session.seq} events, last used ${ago(session.usedAt)}`}
          >
            {session.parent && (
              <span className="side-fork" title="A fork of another conversation">
                <Icon name="fork" size={14} />
                <span className="sr-only">Fork: </span>
              </span>
            )}
            <span className="side-title">
              <VisibleText text={session.title} />
            </span>
            {session.open && <SessionState open={session.open} />}
          </a>
          <Menu
            label={`Actions for ${title}`}
            button={<Icon name="more" />}
            entries={[
              { label: 'Rename', icon: 'edit', run: () => setMode('renaming') },
              {
                label: session.archived ? 'Bring back' : 'Archive',
                icon: 'archive',
                run: () => attempt(changeSession(session.id, { archived: !session.archived })),
              },
              { label: 'Export as Markdown', icon: 'download', run: () => attempt(exportSession(session, 'markdown')) },
              { label: 'Export as JSON lines', icon: 'download', run: () => attempt(exportSession(session, 'jsonl')) },
              { label: 'Delete…', icon: 'trash', danger: true, run: () => setMode('deleting') },
            ]}
          />
        </>
      )}
      {problem !== undefined && (
        <p className="side-problem" role="alert">
          {problem}
        </p>
      )}
      {mode === 'deleting' && <DeleteDialog session={session} onClose={() => setMode('shown')} />}
    </li>
  )
}
