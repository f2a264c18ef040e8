import type { Connection, WorkflowClient } from '@temporalio/client'
import type { TemporalConnection } from '../../contract/automation.ts'
import { abortable } from '../../lib/abortable.ts'
import type { HandOver } from '../engine.ts'
import { NotConnected } from './not-connected.ts'

interface ConnectionsOptions {
  readonly connections: ReadonlyMap<string, TemporalConnection>
  readonly connectMs: number
  readonly answerBytes: number
}

interface Open {
  readonly connection: Connection
  readonly client: WorkflowClient
}

/** What an answer has around its result. */
const ENVELOPE_BYTES = 64 * 1024

/** One connection for each server, opened when it is first used. */
export function createConnections({ connections, connectMs, answerBytes }: ConnectionsOptions) {
  const open = new Map<string, Promise<Open>>()
  let isClosed = false

  async function connect({ address, namespace, tls, apiKey }: TemporalConnection): Promise<Open> {
    // Most installations never need it, and it takes longer to load than all of Segno.
    const { Connection, WorkflowClient } = await import('@temporalio/client')
    const connection = Connection.lazy({
      address,
      tls,
      ...(apiKey !== undefined && { apiKey }),
      connectTimeout: connectMs,
      channelArgs: { 'grpc.max_receive_message_length': answerBytes + ENVELOPE_BYTES },
      // Whether to try again is decided by whoever knows what it does.
      interceptors: [],
    })
    try {
      await connection.ensureConnected()
    } catch (error) {
      await connection.close()
      throw error
    }
    return { connection, client: new WorkflowClient({ connection, namespace }) }
  }

  function opened(name: string): Promise<Open> {
    const server = connections.get(name)
    if (!server) throw new NotConnected(`The settings have no Temporal server "${name}" any more.`, true)
    if (isClosed) throw new NotConnected('Segno is closing its connections.')
    const known = open.get(name)
    if (known) return known
    const fresh = connect(server)
    open.set(name, fresh)
    // The next one tries again.
    fresh.catch(() => open.get(name) === fresh && open.delete(name))
    return fresh
  }

  return {
    /** Does something until it is done, stopped or late. What failed before anything was sent is NotConnected. */
    async use<T>(
      { target, signal, timeoutMs }: Pick<HandOver, 'target' | 'signal' | 'timeoutMs'>,
      act: (client: WorkflowClient) => Promise<T>,
    ): Promise<T> {
      if (target.engine !== 'temporal') throw new Error(`a target of ${target.engine} for Temporal`)
      const deadline = Date.now() + timeoutMs
      const stop = new AbortController()
      const onAbort = (): void => stop.abort(signal.reason)
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      const late = setTimeout(() => stop.abort(new NotConnected('Temporal took too long to connect.')), timeoutMs)
      try {
        const { connection, client } = await abortable(opened(target.connection), stop.signal).catch(
          (error: unknown) => {
            throw error instanceof NotConnected ? error : new NotConnected('Temporal does not answer.', false, error)
          },
        )
        clearTimeout(late)
        return await connection.withDeadline(deadline, () => connection.withAbortSignal(stop.signal, () => act(client)))
      } finally {
        clearTimeout(late)
        signal.removeEventListener('abort', onAbort)
      }
    },
    async close(): Promise<void> {
      isClosed = true
      const all = await Promise.allSettled(open.values())
      open.clear()
      for (const one of all) if (one.status === 'fulfilled') await one.value.connection.close()
    },
  }
}
