import type { MessageInput } from '../contract/input.ts'
import type { Blob } from '../store/index.ts'

export type OnBusy = 'queue' | 'reject' | 'interrupt'

/** What a sender is told once the message is stored. */
export interface Accepted {
  readonly requestId: string
  readonly sessionId: string
  readonly state: 'running' | 'queued'
  /** of the session */
  readonly workspaceId: string
  /** the number after which the round begins, where that is known without asking */
  readonly after?: number
}

/** A message on its way to its session. */
export interface Sending {
  readonly message: MessageInput
  /** of the session */
  readonly workspaceId: string
  /** the bytes of the files it names */
  readonly files: readonly Blob[]
  readonly onBusy: OnBusy
  /** what makes it happen once */
  readonly key?: { readonly key: string; readonly hash: string }
}

export interface CoordinatorLimits {
  readonly maxCoordinators: number
  readonly maxRounds: number
  readonly queueLength: number
  /** inputs of any kind that may wait for one session */
  readonly waitingInputs?: number
  readonly idleMs: number
  /** why no new round may begin now, if it may not */
  pressure?(): string | undefined
}
