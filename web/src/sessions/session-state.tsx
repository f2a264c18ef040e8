import type { OpenState, SessionView } from '../../../src/contract/views.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

const FACES: Readonly<Record<OpenState, { icon: IconName; words: string }>> = {
  queued: { icon: 'clock', words: 'queued' },
  running: { icon: 'play', words: 'running' },
  waiting: { icon: 'question', words: 'waiting for you' },
  paused: { icon: 'pause', words: 'paused' },
}
const RESULT = { icon: 'clock', words: 'waiting for a result' } as const

/** What a conversation is doing, as a picture with words. */
export function SessionState({ open: { state, waitingFor } }: { open: NonNullable<SessionView['open']> }) {
  const isTheirs = waitingFor === 'result'
  const { icon, words } = isTheirs ? RESULT : FACES[state]
  return (
    <span className={`side-state ${isTheirs ? '' : state}`} title={words}>
      {state === 'running' ? <span className="side-pulse" /> : <Icon name={icon} size={14} />}
      <span className="sr-only">, {words}</span>
    </span>
  )
}
