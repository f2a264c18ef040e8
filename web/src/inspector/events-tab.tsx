import { useState } from 'react'
import { wordsOf } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { forkSession } from '../sessions/session-actions.ts'
import { useFollowed, useSession } from '../state/session.ts'
import { EventList } from './event-list.tsx'

/** The log itself: every event as it is stored. */
export function EventsTab() {
  const follower = useSession()
  const { session, log } = useFollowed(follower)
  const [type, setType] = useState('')
  const [problem, setProblem] = useState<string>()
  const types = Map.groupBy(log.events, (event) => event.type)
  const shown = type === '' ? log.events : log.events.filter((event) => event.type === type)
  const attempt = (work: Promise<unknown>): void => {
    setProblem(undefined)
    work.catch((error: unknown) => setProblem(wordsOf(error)))
  }
  return (
    <div className="insp-events">
      <label className="insp-field">
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
      {problem !== undefined && (
        <p role="alert" className="insp-error">
          {problem}
        </p>
      )}
      {log.first > 1 && (
        <Button kind="quiet" onClick={() => attempt(follower.loadEarlier())}>
          Load what is before event {log.first}
        </Button>
      )}
      <EventList
        key={type}
        events={shown}
        onFork={(seq) => {
          if (session) attempt(forkSession(session.id, seq))
        }}
      />
      <p className="insp-hint">J and K move, Enter unfolds.</p>
    </div>
  )
}
