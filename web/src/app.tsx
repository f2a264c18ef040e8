import { lazy, Suspense, useEffect } from 'react'
import { Conversation } from './conversation/conversation.tsx'
import { KeyDialog } from './sessions/key-dialog.tsx'
import { Palette } from './sessions/palette.tsx'
import { Sidebar } from './sessions/sidebar.tsx'
import { isNarrow } from './state/kept-preferences.ts'
import { prefer, usePreferences } from './state/preferences.ts'
import { useRoute } from './state/route.ts'
import { SessionContext, useFollower } from './state/session.ts'

// Loaded when somebody looks: who only talks does not wait for them.
const Inspector = lazy(async () => ({ default: (await import('./inspector/inspector.tsx')).Inspector }))
const Operator = lazy(async () => ({ default: (await import('./operator/operator.tsx')).Operator }))

/** Sessions on the left, what one of them says in the middle, how it came about on the right. */
export function App() {
  const route = useRoute()
  const { sidebar, inspector } = usePreferences()
  const sessionId = route.page === 'session' ? route.id : undefined
  const follower = useFollower(sessionId)

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
          <Suspense>
            {route.page === 'operator' ? <Operator tab={route.tab} /> : <Conversation sessionId={sessionId} />}
          </Suspense>
        </main>
        {inspector && follower && (
          <aside className="shell-inspector" aria-label="Inspector">
            <Suspense>
              <Inspector />
            </Suspense>
          </aside>
        )}
        {(sidebar || inspector) && (
          <button
            type="button"
            className="shell-shade"
            aria-label="Close the side"
            onClick={() => prefer({ sidebar: false, inspector: false })}
          />
        )}
      </div>
      <Palette />
      <KeyDialog />
    </SessionContext>
  )
}
