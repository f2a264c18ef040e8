import { Composer } from './composer.tsx'
import { SidebarButton } from './header.tsx'
import { post, useOutbox } from './outbox.ts'
import { shownIn } from './unsent.ts'
import { UnsentList } from './unsent-list.tsx'
import { useLasts } from './use-now.ts'

/** Until the log is loaded, no event in it may be taken for a message written now. */
const NOT_KNOWN = Number.MAX_SAFE_INTEGER

/** A conversation that is loading: messages just sent stay visible, and typing goes on. */
export function LoadingConversation({ sessionId, error }: { sessionId: string; error?: string | undefined }) {
  const unsent = useOutbox().filter((one) => shownIn(one) === sessionId)
  const lasts = useLasts(true, 200)
  return (
    <>
      <header className="conv-header row">
        <SidebarButton />
      </header>
      {unsent.length === 0 ? (
        <div className="conv-bare column">
          {error !== undefined && <p className="muted">{error} Trying again…</p>}
          {lasts && error === undefined && (
            <div aria-label="Loading" role="status">
              {[70, 100, 94, 60, 40, 100, 88].map((width, at) => (
                <div key={at} className="skeleton" style={{ width: `${width}%` }} />
              ))}
            </div>
          )}
        </div>
      ) : (
        <div className="conv-stage">
          <div className="conv-scroll">
            <div className="conv-column">
              <UnsentList unsent={unsent} isBusy={false} />
            </div>
          </div>
        </div>
      )}
      <Composer
        sessionId={sessionId}
        send={(written) => post({ ...written, place: { kind: 'session', sessionId }, after: NOT_KNOWN })}
      />
    </>
  )
}
