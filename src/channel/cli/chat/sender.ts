import { randomUUID } from 'node:crypto'
import { Problem } from '../../../contract/problem.ts'
import type { Api } from './api.ts'

export type Sender = ReturnType<typeof createSender>

export interface SenderOptions {
  readonly api: Api
  /** The session, made with its first message if there is none. */
  session(firstMessage: string): Promise<string>
  isRoundOpen(): boolean
  failed(text: string, why: Problem): Promise<void>
  background(work: Promise<void>): void
}

/** Sends one message after the other, each once, however often it has to be tried. */
export function createSender({ api, session, isRoundOpen, failed, background }: SenderOptions) {
  const mine = new Set<string>()
  const over = new Set<string>()
  let queue: string[] = []
  let sending: number | undefined
  let awaiting: { requestId: string; since: number } | undefined
  let unsent: { text: string; once: string } | undefined
  let isStopping = false

  async function post(text: string): Promise<void> {
    const since = Date.now()
    sending = since
    const once = unsent?.text === text ? unsent.once : randomUUID()
    try {
      const { requestId } = await api.send(await session(text), text, once)
      mine.add(requestId)
      unsent = undefined
      sending = undefined
      if (over.has(requestId)) return next()
      awaiting = { requestId, since }
      if (isStopping) await api.cancel(requestId)
    } catch (error) {
      sending = undefined
      isStopping = false
      unsent = { text, once }
      if (!(error instanceof Problem)) throw error
      await failed(text, error)
    }
  }

  const isBusy = (): boolean => sending !== undefined || awaiting !== undefined || isRoundOpen()

  function next(): void {
    isStopping = false
    if (isBusy()) return
    const text = queue.shift()
    if (text !== undefined) background(post(text))
  }

  function takeQueue(): string {
    const waiting = queue.join('\n')
    queue = []
    return waiting
  }

  return {
    /** a message is on its way, or its round has not ended: since when */
    get since() {
      return sending ?? awaiting?.since
    },
    get isSending() {
      return sending !== undefined
    },
    /** what is sent when the round has ended */
    get queue(): readonly string[] {
      return queue
    },
    get isStopping() {
      return isStopping
    },
    isMine: (requestId: string): boolean => mine.has(requestId) || sending !== undefined,
    send(text: string): void {
      if (isBusy()) queue.push(text)
      else background(post(text))
    },
    /** Cancels the round; what waited is given back. */
    stop(open: string | undefined): string {
      isStopping = true
      const waiting = takeQueue()
      const requestId = open ?? awaiting?.requestId
      if (requestId !== undefined) background(api.cancel(requestId))
      return waiting
    },
    /** Nobody will hear of an end any more: nothing is waited for, and what waited is given back. */
    forget(): string {
      awaiting = undefined
      isStopping = false
      return takeQueue()
    },
    /** A round has ended: the next message is sent. */
    ended(requestId: string): void {
      over.add(requestId)
      if (awaiting?.requestId === requestId) awaiting = undefined
      next()
    },
  }
}
