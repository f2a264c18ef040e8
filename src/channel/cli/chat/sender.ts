import { randomUUID } from 'node:crypto'
import type { Client } from '../../../client/index.ts'
import type { Mode } from '../../../contract/outcome.ts'
import { Problem } from '../../../contract/problem.ts'

export type Sender = ReturnType<typeof createSender>

export interface SenderOptions {
  readonly api: Pick<Client, 'send' | 'cancel'>
  /** The id of the session; a new one is created if necessary. */
  session(firstMessage: string): Promise<string>
  isRoundOpen(): boolean
  failed(text: string, why: Problem): Promise<void>
  background(work: Promise<void>): void
}

interface Message {
  readonly text: string
  readonly mode: Mode
}

/** Sends one message after the other, each exactly once even if it is retried. */
export function createSender({ api, session, isRoundOpen, failed, background }: SenderOptions) {
  const mine = new Set<string>()
  const over = new Set<string>()
  let queue: Message[] = []
  let sending: number | undefined
  let awaiting: { requestId: string; since: number } | undefined
  let unsent: { text: string; once: string } | undefined
  let isStopping = false

  async function post({ text, mode }: Message): Promise<void> {
    const since = Date.now()
    sending = since
    const once = unsent?.text === text ? unsent.once : randomUUID()
    try {
      const { requestId } = await api.send(await session(text), { content: text, mode }, once)
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

  const cancel = async (requestId: string): Promise<void> => void (await api.cancel(requestId))
  const isBusy = (): boolean => sending !== undefined || awaiting !== undefined || isRoundOpen()

  function next(): void {
    isStopping = false
    if (isBusy()) return
    const message = queue.shift()
    if (message) background(post(message))
  }

  function takeQueue(): string {
    const waiting = queue.map(({ text }) => text).join('\n')
    queue = []
    return waiting
  }

  return {
    /** when the message was sent whose round has not ended */
    get since() {
      return sending ?? awaiting?.since
    },
    get isSending() {
      return sending !== undefined
    },
    /** messages to send when the round has ended */
    get queue(): readonly string[] {
      return queue.map(({ text }) => text)
    },
    get isStopping() {
      return isStopping
    },
    isMine: (requestId: string): boolean => mine.has(requestId) || sending !== undefined,
    send(text: string, mode: Mode): void {
      if (isBusy()) queue.push({ text, mode })
      else background(post({ text, mode }))
    },
    /** Cancels the round and returns the queued messages. */
    stop(open: string | undefined): string {
      isStopping = true
      const waiting = takeQueue()
      const requestId = open ?? awaiting?.requestId
      if (requestId !== undefined) background(cancel(requestId))
      return waiting
    },
    /** The end of the round will not be seen: stops waiting for it and returns the queued messages. */
    forget(): string {
      awaiting = undefined
      isStopping = false
      return takeQueue()
    },
    /** A round has ended: sends the next message. */
    ended(requestId: string): void {
      over.add(requestId)
      if (awaiting?.requestId === requestId) awaiting = undefined
      next()
    },
  }
}
