import type { JSONRPCMessage, RequestId, Transport, TransportSendOptions } from '@modelcontextprotocol/client'
import { DEEPEST_MESSAGE, isDeeper } from '../../lib/nesting.ts'
import { isObject } from '../../lib/type-guards.ts'
import { LOST, Misbehaviour } from './trouble.ts'

const FLOOD_MS = 10_000
/** How long a stream may stay open after its answer, and how long a notification may take. */
const AFTERWARDS_MS = 5000

/**
 * Filters the messages between a transport and the SDK: one answer to each open request, under exactly its id (the SDK
 * takes "1" for 1), and at most `floodMessages` others. If a stream ends without an answer, an error takes its place,
 * because the SDK would wait for ever.
 */
export class GuardedTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  /** Gets the progress of calls, which the SDK drops if the answer arrives together with it. */
  tellProgress?: (params: unknown) => void

  readonly #inner: Transport
  readonly #floodMessages: number
  readonly #giveUp: (why: Misbehaviour) => void
  /** requests without an answer, and how to stop waiting */
  readonly #open = new Map<RequestId, AbortController>()
  #unasked = 0
  #windowStart = 0
  #flooded = false

  constructor(inner: Transport, floodMessages: number, giveUp: (why: Misbehaviour) => void) {
    this.#inner = inner
    this.#floodMessages = floodMessages
    this.#giveUp = giveUp
    const hooks: Pick<Transport, 'onclose' | 'onerror' | 'onmessage'> = {
      onclose: () => this.onclose?.(),
      onerror: (error) => this.onerror?.(error),
      onmessage: (message) => this.#receive(message),
    }
    Object.assign(inner, hooks)
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version)
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const isRequest = 'method' in message && 'id' in message
    if (!isRequest) {
      try {
        await this.#inner.send(message, { ...options, requestSignal: AbortSignal.timeout(AFTERWARDS_MS) })
      } finally {
        if ('method' in message && message.method === 'notifications/cancelled') this.#cancelled(message.params)
      }
      return
    }
    const stop = new AbortController()
    const { id } = message
    this.#open.set(id, stop)
    const signals = [stop.signal, ...(options.requestSignal ? [options.requestSignal] : [])]
    try {
      await this.#inner.send(message, {
        ...options,
        requestSignal: AbortSignal.any(signals),
        onRequestStreamEnd: options.onRequestStreamEnd ?? (() => this.lose(id)),
      })
    } catch (error) {
      this.#open.delete(id)
      throw error
    }
  }

  /** Ends a request that will get no readable answer. */
  lose(id: unknown): void {
    if (!this.#open.delete(id as RequestId)) return
    this.onmessage?.({ jsonrpc: '2.0', id: id as RequestId, error: { code: -32_000, message: 'lost', data: LOST } })
  }

  /** A value that is no message, but may be meant as an answer. */
  strange(value: unknown): void {
    if (isObject(value)) this.lose(value['id'])
    this.#count()
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#flooded) return
    if (isDeeper(message, DEEPEST_MESSAGE)) return this.strange(message)
    if ('method' in message) {
      if (!this.#count()) return
      if (message.method === 'notifications/progress') this.tellProgress?.(message.params)
      else this.onmessage?.(message)
      return
    }
    const stop = message.id === undefined ? undefined : this.#open.get(message.id)
    if (stop === undefined || message.id === undefined) {
      this.#count()
      return
    }
    this.#open.delete(message.id)
    if (this.hasPerRequestStream) setTimeout(() => stop.abort(), AFTERWARDS_MS).unref()
    this.onmessage?.(message)
  }

  /** Counts unrequested messages; when there are too many, the connection is given up. */
  #count(): boolean {
    const now = performance.now()
    if (now - this.#windowStart > FLOOD_MS) {
      this.#windowStart = now
      this.#unasked = 0
    }
    this.#unasked += 1
    if (this.#unasked <= this.#floodMessages) return true
    this.#flooded = true
    this.#giveUp(new Misbehaviour('it sends too many messages'))
    return false
  }

  #cancelled(params: unknown): void {
    if (!isObject(params)) return
    const id = params['requestId'] as RequestId
    this.#open.get(id)?.abort()
    this.#open.delete(id)
  }
}

/** The SDK recognizes a local server by these two fields. */
export class GuardedStdioTransport extends GuardedTransport {
  readonly stderr = null
  readonly pid = null
}
