import type { OpenState } from '../../../src/contract/views.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

const FACES: Readonly<Record<OpenState, { icon: IconName; words: string }>> = {
  queued: { icon: 'clock', words: 'queued' },
  running: { icon: 'play', words: 'running' },
  waiting: { icon: 'question', words: 'waiting for you' },
  paused: { icon: 'pause', words: 'paused' },
}

/** What a conversation is doing, as a picture with words. */
export function SessionState({ state }: { state: OpenState }) {
  const { icon, words } = FACES[state]
  return (
    <span className={`side-state ${state}`} title={words}>
      {state === 'running' ? <span className="side-pulse" /> : <Icon name={icon} size={14} />}
      <span className="sr-only">, {words}</span>
    </span>
  )
}
