/** The kinds of stored jobs with their payload. */
export type JobData = {
  /** erases the content of a deleted session */
  purge: { readonly sessionId: string }
  /** finds a title for a conversation */
  title: { readonly sessionId: string }
}

export type JobKind = keyof JobData
export type KnownJob = {
  [Kind in JobKind]: { readonly kind: Kind; readonly payload: JobData[Kind]; readonly runAt: number }
}[JobKind]

/** `parked`: failed too often or of an unknown kind, and waits for a person to retry it */
export const JOB_STATES = ['waiting', 'parked'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A stored job without its payload. */
export interface JobView {
  readonly id: number
  readonly kind: string
  readonly state: JobState
  /** how often it was started */
  readonly attempts: number
  /** when it is due, or was when it was parked */
  readonly runAt: number
  readonly parkedAt?: number
  /** why it was parked: a code without content */
  readonly reason?: string
}
