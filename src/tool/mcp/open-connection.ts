import { within } from '../../lib/within.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { connect, type Connection } from './connection.ts'
import { GuardedStdioTransport, GuardedTransport } from './guarded-transport.ts'
import type { McpLimits } from './mcp.ts'
import type { LogRing } from './log-ring.ts'
import type { Login } from './login.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import type { HttpServer, McpServer, StdioServer } from './servers.ts'
import { StdioTransport } from './stdio-transport.ts'
import type { Watchdog } from './watchdog.ts'

const GOODBYE_MS = 1000

export interface OpenOptions {
  readonly name: string
  readonly server: McpServer
  /** the workspace folder */
  readonly folder: string | undefined
  /** where servers get folders of their own */
  readonly folders: string | undefined
  readonly limits: McpLimits
  readonly fetch: typeof fetch
  readonly watchdog: Watchdog
  readonly log: LogRing
  /** for HTTP servers */
  readonly login: Login | undefined
  readonly signal: AbortSignal
  /** Called when the server says that its tools changed. */
  onToolsChanged(): void
}

/** Starts or reaches a server and connects to it. */
export async function openConnection(options: OpenOptions): Promise<Connection> {
  const { server } = options
  const sdk = await loadSdk()
  if (server.transport === 'http') return attempt(options, sdk, httpTransport(server, options, sdk), false)
  try {
    return await attempt(options, sdk, stdioTransport(server, options, sdk), false)
  } catch (error) {
    // An old server may exit at a question before the handshake, so it is started once more without it.
    const ended = [sdk.SdkErrorCode.EraNegotiationFailed, sdk.SdkErrorCode.ConnectionClosed]
    if (!sdk.SdkError.isInstance(error) || !ended.includes(error.code) || options.signal.aborted) throw error
    return attempt(options, sdk, stdioTransport(server, options, sdk), true)
  }
}

function attempt(options: OpenOptions, sdk: Sdk, transport: GuardedTransport, isLegacy: boolean): Promise<Connection> {
  return connect({ ...options, sdk, transport, isLocal: options.server.transport === 'stdio', isLegacy })
}

function stdioTransport(server: StdioServer, options: OpenOptions, sdk: Sdk): GuardedTransport {
  const inner = new StdioTransport(server, options, sdk.deserializeMessage)
  const guarded = new GuardedStdioTransport(inner, options.limits.floodMessages, (why) => inner.fail(why))
  inner.onstrange = (value) => guarded.strange(value)
  return guarded
}

/** Adds the configured headers, which are often secret, to requests to the server itself, not to its authorization server. */
function withHeaders(send: typeof fetch, server: HttpServer): typeof fetch {
  const { origin } = new URL(server.url)
  return (input, init) => {
    const url = input instanceof Request ? input.url : input
    if (new URL(url).origin !== origin) return send(input, init)
    const headers = new Headers(init?.headers)
    for (const [name, value] of Object.entries(server.headers)) headers.set(name, value)
    return send(input, { ...init, headers })
  }
}

function httpTransport(server: HttpServer, options: OpenOptions, sdk: Sdk): GuardedTransport {
  const { limits, login } = options
  const send = withHeaders(boundedFetch(options.fetch, limits.messageBytes), server)
  const inner = new sdk.StreamableHTTPClientTransport(new URL(server.url), {
    fetch: login ? login.refreshAlone(send) : send,
    ...(login && { authProvider: login }),
  })
  const close = inner.close.bind(inner)
  inner.close = async () => {
    // Some servers keep a session until it is ended.
    await within(GOODBYE_MS, inner.terminateSession()).catch(() => {})
    await close()
  }
  const guarded = new GuardedTransport(inner, limits.floodMessages, (why) => {
    guarded.onerror?.(why)
    void inner.close().catch(() => {})
  })
  return guarded
}
