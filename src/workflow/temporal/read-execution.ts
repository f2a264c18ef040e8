import type { WorkflowExecutionStatusName } from '@temporalio/client'
import type { Json } from '../../contract/message.ts'
import { isDeeper } from '../../lib/nesting.ts'
import { RAW_CHARS, type NotDone, type Started } from '../engine.ts'
import { NotConnected } from './not-connected.ts'

/** Of gRPC. */
const CANCELLED = 1
const DEADLINE_EXCEEDED = 4
const NOT_FOUND = 5
const RESOURCE_EXHAUSTED = 8
const UNAVAILABLE = 14
/** Invalid argument, not found, permission denied, failed precondition, unimplemented, unauthenticated. */
const REFUSALS = new Set([3, NOT_FOUND, 7, 9, 12, 16])

const OVER = { kind: 'failure', mayHaveHappened: true, isFinal: true } as const

/** What became of a request to start. */
export function failedTo(error: unknown, signal: AbortSignal): NotDone {
  const did = { kind: 'failure', mayHaveHappened: true, isFinal: false } as const
  const didNot = { ...did, mayHaveHappened: false }
  if (error instanceof NotConnected) {
    if (signal.aborted) return { ...didNot, code: 'CANCELLED', error: 'It was stopped before anything was sent.' }
    const code = error.isRefused ? 'REFUSED' : 'CONNECTION_ERROR'
    return { ...didNot, code, error: error.message, isFinal: error.isRefused }
  }
  if (signal.aborted) return { ...did, code: 'CANCELLED', error: 'It was stopped before there was an answer.' }
  const isRefused = error instanceof Error && error.name === 'NamespaceNotFoundError'
  const { code = isRefused ? NOT_FOUND : UNAVAILABLE, details = '' } = grpcOf(error)
  const said = `Temporal answered with the gRPC status ${code}.`
  if (isTooLarge(error)) return { ...OVER, code: 'BAD_ANSWER', error: TOO_LARGE }
  if (isUnclear(details)) return { ...did, code: 'CONNECTION_ERROR', error: LOST }
  if (REFUSALS.has(code)) return { ...didNot, code: 'REFUSED', error: said, isFinal: true }
  if (code === RESOURCE_EXHAUSTED) return { ...didNot, code: 'RATE_LIMITED', error: said }
  if (code === DEADLINE_EXCEEDED) return { ...did, code: 'TIMEOUT', error: 'Temporal took too long to answer.' }
  if (details.startsWith(NEVER_SENT)) return { ...didNot, code: 'CONNECTION_ERROR', error: 'Temporal does not answer.' }
  if (code === UNAVAILABLE || code === CANCELLED) return { ...did, code: 'CONNECTION_ERROR', error: LOST }
  return { ...did, code: 'FAILED', error: said }
}

const LOST = 'The connection to Temporal was lost.'
const NEVER_SENT = 'No connection established'
/** What the client itself says of requests that were sent, under codes with which a server refuses. */
const UNCLEAR = ['Bandwidth exhausted', 'No message received', 'Too many responses received']
const isUnclear = (details: string): boolean => UNCLEAR.some((one) => details.startsWith(one))
const TOO_LARGE = 'The answer of Temporal is larger than is read.'

/** What came of one that is over; rejects where that cannot be told now. */
export async function resultOf(
  status: WorkflowExecutionStatusName,
  read: () => Promise<unknown>,
  engineRef: string,
): Promise<Started> {
  const bad = (error: string): NotDone => ({ ...OVER, code: 'BAD_ANSWER', error, engineRef })
  let output: unknown
  try {
    output = (await read()) ?? null
  } catch (error) {
    const { name, cause } = error instanceof Error ? error : new Error()
    if (name === 'WorkflowFailedError') {
      const raw = cause instanceof Error ? cause.message.slice(0, RAW_CHARS) : ''
      return { ...overWith(status), engineRef, ...(raw !== '' && { raw }) }
    }
    if (isTooLarge(error)) return bad(TOO_LARGE)
    if (name === 'ServiceError' || name === 'WorkflowNotFoundError') throw error
    return bad('The result in Temporal is not JSON.')
  }
  if (ArrayBuffer.isView(output)) return bad('The result in Temporal is bytes, not JSON.')
  if (isDeeper(output)) return bad('The result in Temporal is nested too deeply.')
  return { kind: 'success', output: output as Json, engineRef }
}

const RUNNING = ['RUNNING', 'CONTINUED_AS_NEW', 'PAUSED', 'UNSPECIFIED', 'UNKNOWN'] as const

/** Whether it goes on, or a newer server says something that the client does not know. */
export const isRunning = (status: WorkflowExecutionStatusName): boolean => RUNNING.some((one) => one === status)

function overWith(status: WorkflowExecutionStatusName): NotDone {
  if (status === 'CANCELLED') return { ...OVER, code: 'CANCELLED', error: 'The workflow was cancelled in Temporal.' }
  if (status === 'TIMED_OUT')
    return { ...OVER, code: 'TIMEOUT', error: 'The workflow took longer than Temporal gives it.' }
  return { ...OVER, code: 'FAILED', error: `The workflow has the status ${status} in Temporal.` }
}

const isTooLarge = (error: unknown): boolean => {
  const { code, details = '' } = grpcOf(error)
  return code === RESOURCE_EXHAUSTED && details.startsWith('Received message')
}

/** What gRPC said, which the client wraps. */
function grpcOf(error: unknown): { readonly code?: number; readonly details?: string } {
  for (const one of [error, error instanceof Error ? error.cause : undefined]) {
    const { code, details } = (one ?? {}) as { code?: unknown; details?: unknown }
    if (typeof code === 'number') return { code, ...(typeof details === 'string' && { details }) }
  }
  return {}
}
