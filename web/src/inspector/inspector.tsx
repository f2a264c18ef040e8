import { useId, type KeyboardEvent } from 'react'
import { IconButton } from '../parts/button.tsx'
import { prefer } from '../state/preferences.ts'
import { useFollowed } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { EventsTab } from './events-tab.tsx'
import { ForksTab } from './forks-tab.tsx'
import { inspected, type InspectorTab } from './inspected.ts'
import { PromptTab } from './prompt-tab.tsx'
import { RoundTab } from './round-tab.tsx'
import { UsageTab } from './usage-tab.tsx'
import './css/frame.css'
import './css/timeline.css'
import './css/tabs.css'
import './css/events.css'
import './css/small-screens.css'

const TABS: readonly { id: InspectorTab; title: string; Panel: () => React.ReactNode }[] = [
  { id: 'round', title: 'Round', Panel: RoundTab },
  { id: 'prompt', title: 'Prompt', Panel: PromptTab },
  { id: 'usage', title: 'Usage', Panel: UsageTab },
  { id: 'events', title: 'Events', Panel: EventsTab },
  { id: 'forks', title: 'Forks', Panel: ForksTab },
]

/** Shows how the conversation beside it came about. */
export function Inspector() {
  const { tab } = useStore(inspected)
  const { session } = useFollowed()
  const id = useId()
  const { Panel } = TABS.find((one) => one.id === tab) ?? TABS[0]!

  const moveByArrows = (event: KeyboardEvent<HTMLElement>): void => {
    const now = TABS.findIndex((one) => one.id === tab)
    const place = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: -1 }[event.key]
    const next = place === undefined ? undefined : TABS.at(place % TABS.length)
    if (!next) return
    event.preventDefault()
    show(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }

  return (
    <div className="insp">
      <div className="insp-head row">
        <div role="tablist" aria-label="How this came about" className="tabs" onKeyDown={moveByArrows}>
          {TABS.map((one) => (
            <button
              key={one.id}
              id={`${id}-${one.id}`}
              type="button"
              role="tab"
              aria-selected={one.id === tab}
              aria-controls={`${id}-panel`}
              tabIndex={one.id === tab ? 0 : -1}
              onClick={() => show(one.id)}
            >
              {one.title}
            </button>
          ))}
        </div>
        <IconButton label="Close the inspector" icon="cross" onClick={() => prefer({ inspector: false })} />
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`} className="insp-panel" tabIndex={0}>
        {session ? <Panel key={session.id} /> : <p className="insp-note">Nothing is loaded yet.</p>}
      </div>
    </div>
  )
}

function show(tab: InspectorTab): void {
  inspected.set({ ...inspected.get(), tab })
}
