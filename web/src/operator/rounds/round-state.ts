import type { RoundSummary } from '../../../../src/client/index.ts'
import { FINISHED, laterKind } from '../../parts/format.ts'
import type { IconName } from '../../parts/icon.tsx'

interface RoundState {
  readonly words: string
  readonly icon: IconName
  readonly tone: '' | 'ok' | 'warn' | 'danger' | 'muted'
}

/** The state of a round, or why it ended, in words with an icon. */
export function roundState({ state, finishReason, waitingFor }: RoundSummary): RoundState {
  switch (state) {
    case 'queued':
      return { words: 'waits for its turn', icon: 'clock', tone: 'muted' }
    case 'running':
      return { words: 'running', icon: 'play', tone: '' }
    case 'waiting': {
      const later = laterKind(waitingFor)
      const whom = waitingFor === 'approval' ? 'decision' : (later ?? 'person')
      return { words: `waiting for a ${whom}`, icon: later ? 'clock' : 'question', tone: 'warn' }
    }
    case 'paused':
      return { words: 'paused', icon: 'pause', tone: 'warn' }
    case 'ended':
      break
  }
  if (finishReason === undefined) return { words: 'ended', icon: 'check', tone: 'muted' }
  const words = FINISHED[finishReason]
  if (finishReason === 'complete') return { words, icon: 'check', tone: 'ok' }
  if (finishReason === 'cancelled') return { words, icon: 'stop', tone: 'muted' }
  return finishReason === 'error' ? { words, icon: 'cross', tone: 'danger' } : { words, icon: 'warn', tone: 'warn' }
}
