import { within } from '../../lib/within.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { connect, type Connection } from './connection.ts'
import { GuardedStdioTransport, GuardedTransport } from './guarded-transport.ts'
import type { McpLimits } from './limits.ts'
import type { LogRing } from './log-ring.ts'
import type { Login } from './login.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import { WORKSPACE_FOLDER, type HttpServer, type McpServer, type StdioServer } from './servers.ts'
import { StdioTransport } from './stdio-transport.ts'
import type { Watchdog } from './watchdog.ts'

const GOODBYE_MS = 1000

export interface OpenOptions {
  readonly name: string
  readonly server: McpServer
  /** of the workspace */
  readonly folder: string | undefined
  /** where servers get folders of their own */
  readonly folders: string | undefined
  readonly limits: McpLimits
  readonly fetch: typeof fetch
  readonly watchdog: Watchdog
  readonly log: LogRing
  /** for HTTP servers that may ask who we are */
  readonly login: Login | undefined
  readonly signal: AbortSignal
  /** the server says that its tools are others now */
  onToolsChanged(): void
}

/** Starts or reaches a server and shakes hands with it. */
export async function openConnection(options: OpenOptions): Promise<Connection> {
  const { server } = options
  const sdk = await loadSdk()
  if (server.transport === 'http') return shake(options, sdk, httpTransport(server, options, sdk), false)
  try {
    return await shake(options, sdk, stdioTransport(server, options, sdk), false)
  } catch (error) {
    // A server of the older kind may end when it is asked something before the handshake. It gets another chance.
    const ended = [sdk.SdkErrorCode.EraNegotiationFailed, sdk.SdkErrorCode.ConnectionClosed]
    if (!sdk.SdkError.isInstance(error) || !ended.includes(error.code) || options.signal.aborted) throw error
    return shake(options, sdk, stdioTransport(server, options, sdk), true)
  }
}

function shake(options: OpenOptions, sdk: Sdk, transport: GuardedTransport, isLegacy: boolean): Promise<Connection> {
  return connect({ ...options, sdk, transport, isLocal: options.server.transport === 'stdio', isLegacy })
}

function stdioTransport(server: StdioServer, options: OpenOptions, sdk: Sdk): GuardedTransport {
  const { folder, folders, limits, watchdog, log } = options
  const place = (text: string): string => (folder === undefined ? text : text.replaceAll(WORKSPACE_FOLDER, folder))
  const inner = new StdioTransport({
    command: place(server.command),
    args: server.args.map(place),
    env: Object.fromEntries(Object.entries(server.env).map(([key, value]) => [key, place(value)])),
    // Never the workspace by itself: what a command wrote there would run outside of its sandbox.
    cwd: server.cwd === undefined ? undefined : place(server.cwd),
    folders,
    workspace: folder,
    messageBytes: limits.messageBytes,
    stopMs: limits.stopMs,
    watchdog,
    log,
    parse: sdk.deserializeMessage,
  })
  const guarded = new GuardedStdioTransport(inner, limits.floodMessages, (why) => inner.fail(why))
  inner.onstrange = (value) => guarded.strange(value)
  return guarded
}

/**
 * Adds the configured headers to requests to the server itself. They are often secret; the authorization server it names
 * is somebody else.
 */
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
  const inner = new sdk.StreamableHTTPClientTransport(new URL(server.url), {
    fetch: withHeaders(boundedFetch(options.fetch, limits.messageBytes), server),
    ...(login && { authProvider: login }),
  })
  const close = inner.close.bind(inner)
  inner.close = async () => {
    // Some servers keep a session until they are told.
    await within(GOODBYE_MS, inner.terminateSession()).catch(() => {})
    await close()
  }
  const guarded = new GuardedTransport(inner, limits.floodMessages, (why) => {
    guarded.onerror?.(why)
    void inner.close().catch(() => {})
  })
  return guarded
}
