import { useEffect } from 'react'
import { Conversation } from './conversation/conversation.tsx'
import { ErrorBoundary, lazyComponent } from './parts/lazy-component.tsx'
import { KeyDialog } from './sessions/key-dialog.tsx'
import { Palette } from './sessions/palette.tsx'
import { Sidebar } from './sessions/sidebar.tsx'
import { isNarrow } from './state/stored-preferences.ts'
import { prefer, usePreferences } from './state/preferences.ts'
import { useRoute } from './state/route.ts'
import { SessionContext, useFollower } from './state/session.ts'
import { useRefreshes } from './state/use-refreshes.ts'

const Inspector = lazyComponent(async () => (await import('./inspector/inspector.tsx')).Inspector)
const Operator = lazyComponent(async () => (await import('./operator/operator.tsx')).Operator)

/** Sessions on the left, what one of them says in the middle, how it came about on the right. */
export function App() {
  const route = useRoute()
  const { sidebar, inspector } = usePreferences()
  const sessionId = route.page === 'session' ? route.id : undefined
  const follower = useFollower(sessionId)
  useRefreshes(follower)

  // On a phone the sides are sheets: going somewhere closes them.
  useEffect(() => {
    if (isNarrow()) prefer({ sidebar: false, inspector: false })
  }, [route])

  return (
    <SessionContext value={follower}>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to the conversation
      </a>
      <div className="shell">
        {sidebar ? (
          <nav className="shell-side" aria-label="Conversations">
            <Sidebar />
          </nav>
        ) : (
          <span />
        )}
        <main className="shell-main" id="main" tabIndex={-1}>
          {route.page === 'operator' ? (
            <Operator tab={route.tab} />
          ) : (
            <ErrorBoundary of={sessionId}>
              <Conversation sessionId={sessionId} />
            </ErrorBoundary>
          )}
        </main>
        {inspector && follower && (
          <aside className="shell-inspector" aria-label="Inspector">
            <Inspector />
          </aside>
        )}
        {(sidebar || inspector) && (
          <button
            type="button"
            className="shell-shade"
            aria-label="Close the side panel"
            onClick={() => prefer({ sidebar: false, inspector: false })}
          />
        )}
      </div>
      <Palette />
      <KeyDialog />
    </SessionContext>
  )
}
