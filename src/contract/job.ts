/** Every kind of work that is stored with what caused it and done later, and what it is told. */
export type JobData = {
  /** erases the content of a deleted session */
  purge: { readonly sessionId: string }
}

export type JobKind = keyof JobData
export type KnownJob = {
  [Kind in JobKind]: { readonly kind: Kind; readonly payload: JobData[Kind]; readonly runAt: number }
}[JobKind]

/** `parked`: it failed too often or nobody knows its kind, and is left alone until somebody has it tried again. */
export const JOB_STATES = ['waiting', 'parked'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A stored job as people see it, without what it is told. */
export interface JobView {
  readonly id: number
  readonly kind: string
  readonly state: JobState
  /** how often it was begun */
  readonly attempts: number
  /** when it is due, or was when it was parked */
  readonly runAt: number
  readonly parkedAt?: number
  /** why it was parked: a word, never a text */
  readonly reason?: string
}
