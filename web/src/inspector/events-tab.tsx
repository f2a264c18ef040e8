import { useState } from 'react'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { forkSession } from '../sessions/session-actions.ts'
import { useFollowed, useSession } from '../state/session.ts'
import { EventList } from './event-list.tsx'

/** The log itself: every event as it is stored. */
export function EventsTab() {
  const follower = useSession()
  const { log } = useFollowed()
  const [type, setType] = useState('')
  const [problem, attempt] = useAttempt()
  const types = Map.groupBy(log.events, (event) => event.type)
  const shown = type === '' ? log.events : log.events.filter((event) => event.type === type)
  return (
    <div className="insp-events column">
      <label className="insp-field row">
        Type
        <select className="input" value={type} onChange={(event) => setType(event.target.value)}>
          <option value="">All ({log.events.length})</option>
          {[...types.keys()].toSorted().map((name) => (
            <option key={name} value={name}>
              {name} ({types.get(name)?.length})
            </option>
          ))}
        </select>
      </label>
      <Problem text={problem} />
      {log.first > 1 && (
        <Button kind="quiet" onClick={() => void attempt(follower.loadEarlier())}>
          Load earlier events
        </Button>
      )}
      <EventList key={type} events={shown} onFork={(seq) => void attempt(forkSession(follower.id, seq))} />
      <p className="insp-hint">J and K move, Enter unfolds.</p>
    </div>
  )
}
