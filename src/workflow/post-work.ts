import { Buffer } from 'node:buffer'
import { EgressFailed, EgressRefused, type Egress } from '../egress/index.ts'
import type { HandOver, NotDone } from './engine.ts'

interface PostOptions {
  readonly egress: Pick<Egress, 'fetch'>
  /** of an answer; with 0 it is not read, and only its head counts */
  readonly answerBytes: number
}

export interface Posted {
  readonly method?: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What the other side answered, as far as it could be read. */
export interface WorkAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** why the body has not come to its end */
  readonly cut?: NotDone
}

export const isAnswer = (result: WorkAnswer | NotDone): result is WorkAnswer => 'status' in result

/** Sends a request without following redirects, within the time and size it may take; it does not reject. */
export async function postWork(
  { method = 'POST', url, headers, body }: Posted,
  { signal, timeoutMs }: Pick<HandOver, 'signal' | 'timeoutMs'>,
  { egress, answerBytes }: PostOptions,
): Promise<WorkAnswer | NotDone> {
  let isSent = false
  const notDone = (error: unknown): NotDone => failureOf(error, { url, isSent, signal })
  try {
    const response = await egress.fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual',
      headersMs: timeoutMs,
      totalMs: timeoutMs,
      ...(answerBytes > 0 && { maxBytes: answerBytes }),
      signal,
      onSend: () => {
        isSent = true
      },
    })
    const { status } = response
    const chunks: Uint8Array[] = []
    let cut: NotDone | undefined
    try {
      if (answerBytes === 0) await response.body?.cancel()
      else for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) chunks.push(chunk)
    } catch (error) {
      cut = notDone(error)
    }
    return { status, headers: response.headers, body: Buffer.concat(chunks), ...(cut && { cut }) }
  } catch (error) {
    return notDone(error)
  }
}

interface Sending extends Pick<HandOver, 'signal'> {
  readonly url: string
  readonly isSent: boolean
}

function failureOf(error: unknown, { url, isSent, signal }: Sending): NotDone {
  const failure = { kind: 'failure', mayHaveHappened: isSent, isFinal: false } as const
  if (signal.aborted) return { ...failure, code: 'CANCELLED', error: 'It was stopped before there was an answer.' }
  if (error instanceof EgressRefused)
    return { ...failure, code: 'REFUSED', error: refusalText(error, url), isFinal: true }
  if (!(error instanceof EgressFailed))
    return { ...failure, code: 'CONNECTION_ERROR', error: 'The request could not be sent or its answer not be read.' }
  if (error.code === 'timeout') return { ...failure, code: 'TIMEOUT', error: error.message }
  if (error.code === 'too_large' || error.code === 'unreadable')
    return { ...failure, code: 'BAD_ANSWER', error: error.message, isFinal: true }
  return { ...failure, code: 'CONNECTION_ERROR', error: error.message }
}

/** Why an address may not be asked, and who can allow it. */
export const refusalText = ({ code, message }: EgressRefused, url: string): string =>
  code === 'address' || code === 'name'
    ? `${message} It may be private if SEGNO_WORKFLOW_ORIGINS names its origin, ${new URL(url).origin}.`
    : message
