import type { ReactNode } from 'react'
import { Composer } from './composer.tsx'
import { post, useOutbox } from './outbox.ts'
import { shownIn } from './unsent.ts'
import { UnsentList } from './unsent-list.tsx'

/** Nothing that the log says already can be taken for a message that was written before the log was there. */
const NOT_KNOWN = Number.MAX_SAFE_INTEGER

/** A conversation that is not loaded yet: what was just sent stays on the screen, and writing goes on. */
export function Early({ sessionId, children }: { sessionId: string; children: ReactNode }) {
  const unsent = useOutbox().filter((one) => shownIn(one) === sessionId)
  return (
    <>
      {unsent.length === 0 ? (
        children
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
        isBusy={false}
        isStopping={false}
        send={(written) => post({ ...written, place: { kind: 'session', sessionId }, after: NOT_KNOWN })}
        stop={() => {}}
        editLast={() => {}}
      />
    </>
  )
}
