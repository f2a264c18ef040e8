import type { OpenState, SessionView } from '../../../src/contract/views.ts'
import { laterKind } from '../parts/format.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

const FACES: Readonly<Record<OpenState, { icon: IconName; words: string }>> = {
  queued: { icon: 'clock', words: 'queued' },
  running: { icon: 'play', words: 'running' },
  waiting: { icon: 'question', words: 'waiting for you' },
  paused: { icon: 'pause', words: 'paused' },
}

/** What a conversation is doing, as a picture with words. */
export function SessionState({ open: { state, waitingFor } }: { open: NonNullable<SessionView['open']> }) {
  const later = laterKind(waitingFor)
  const { icon, words } = later ? { icon: 'clock' as const, words: `waiting for a ${later}` } : FACES[state]
  return (
    <span className={`side-state ${later ? '' : state}`} title={words}>
      {state === 'running' ? <span className="side-pulse" /> : <Icon name={icon} size={14} />}
      <span className="sr-only">, {words}</span>
    </span>
  )
}
