import type { ServerTask } from './tool.ts'

/** The kinds of stored jobs with their payload. */
export type JobData = {
  /** erases the content of a deleted session */
  purge: { readonly sessionId: string }
  /** finds a title for a conversation */
  title: { readonly sessionId: string }
  /** makes memories of what the answer with this number wants remembered */
  remember: { readonly sessionId: string; readonly seq: number; readonly messageId?: string }
  /** asks a server about the task that a call waits for, again and again until it is over */
  task: TaskWork
}

/** A task of an MCP server, and the call that waits for it. */
export type TaskWork = Pick<ServerTask, 'server' | 'task' | 'node'> & {
  readonly tenant: string
  readonly workspaceId: string
  readonly userId: string
  readonly sessionId: string
  readonly requestId: string
  readonly callId: string
  /** when the call was handed over, and until when it waits */
  readonly since: number
  readonly until: number
}

export type JobKind = keyof JobData
export type JobWork = { [Kind in JobKind]: { readonly kind: Kind; readonly payload: JobData[Kind] } }[JobKind]
export type KnownJob = JobWork & { readonly runAt: number }

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
