import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { EgressFailed } from './errors.ts'
import type { Target } from './target.ts'

/** Opens a connection to exactly this address, without resolving anything. */
export type Dial = (at: { readonly address: string; readonly port: number }) => Socket

export const dialTcp: Dial = ({ address, port }) => connectTcp({ host: address, port })

export interface ConnectOptions {
  readonly dial: Dial
  readonly connectMs: number
  /** every open socket, so that all can be closed */
  readonly open: Set<Socket>
}

const KEEP_ALIVE_PROBE_MS = 60_000

/** Connects to the first checked address that answers; the name is used only for TLS and `Host`. */
export async function connect(
  target: Target,
  addresses: readonly string[],
  { dial, connectMs, open }: ConnectOptions,
): Promise<Socket> {
  let failure: unknown
  for (const address of addresses) {
    const socket = dial({ address, port: target.port })
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    try {
      return await ready(socket, target, connectMs / addresses.length)
    } catch (error) {
      socket.destroy()
      failure = error
    }
  }
  throw failure
}

async function ready(socket: Socket, target: Target, ms: number): Promise<Socket> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    socket.destroy()
  }, ms)
  try {
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE_MS)
    await once(socket, 'connect', (error) => connectFailed(target, error))
    return target.isSecure ? await secured(socket, target) : socket
  } catch (error) {
    throw isLate ? new EgressFailed('timeout', `"${target.host}" took longer than ${ms / 1000} s to connect.`) : error
  } finally {
    clearTimeout(timer)
  }
}

async function secured(socket: Socket, { host, isAddress }: Target): Promise<Socket> {
  const named = isAddress ? { host } : { servername: host }
  const secure = connectTls({ socket, ALPNProtocols: ['http/1.1'], ...named })
  await once(
    secure,
    'secureConnect',
    (error) => new EgressFailed('tls', `No secure connection to "${host}" (${codeOf(error)}).`, error),
  )
  return secure
}

/** The system's message would reveal the address. */
function connectFailed({ host, port }: Target, error: unknown): EgressFailed {
  return new EgressFailed('connect', `"${host}" does not answer on port ${port} (${codeOf(error)}).`, error)
}

async function once(socket: Socket, event: string, failure: (error: unknown) => Error): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once(event, resolve)
  socket.once('error', (error) => reject(failure(error)))
  socket.once('close', () => reject(failure(undefined)))
  await promise
}

function codeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return code
  return typeof message === 'string' ? message : 'it was closed'
}
