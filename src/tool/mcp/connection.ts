import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client'
import { pathToFileURL } from 'node:url'
import type { ToolContext } from '../../contract/tool.ts'
import { later } from '../../lib/later.ts'
import { VERSION } from '../../lib/version.ts'
import { askPerson } from './ask-person.ts'
import { headerFault } from './header-fault.ts'
import type { GuardedTransport } from './guarded-transport.ts'
import { isObject, type Loose } from '../../lib/is.ts'
import type { McpLimits } from './limits.ts'
import { readOffer, type Offer } from './offer.ts'
import type { OpenOptions } from './open-connection.ts'
import type { Sdk } from './sdk.ts'
import { CONNECTION_LOST, Misbehaviour } from './trouble.ts'

const MOST_PAGES = 50
const LISTEN_AGAIN_MS = 1000

/** Takes an answer as it came: the SDK's own schemas leave out fields they do not know. */
export const AS_IT_CAME: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'segno', validate: (value) => ({ value }) },
}

/** A way to one server, from the handshake to its end. */
export interface Connection {
  readonly client: Client
  readonly sdk: Sdk
  readonly protocolVersion: string
  readonly isModern: boolean
  /** calls that are under way, for questions that do not say which of them they belong to */
  readonly running: Set<ToolContext>
  /** who wants to hear how a call is getting on, by its progress token */
  readonly listeners: Map<string, (params: Loose) => void>
  /** resolves with the reason when the connection is over */
  readonly lost: Promise<string>
  /** what the server did that ended it */
  readonly why: string | undefined
  /** Gives it up. */
  drop(reason: string): void
  list(signal: AbortSignal): Promise<readonly Offer[]>
  ping(): Promise<void>
  close(): Promise<void>
}

export interface ConnectionOptions extends Pick<
  OpenOptions,
  'name' | 'folder' | 'limits' | 'signal' | 'onToolsChanged'
> {
  readonly sdk: Sdk
  readonly transport: GuardedTransport
  /** a process of ours: one that is silent may be an old one; another machine may just be slow */
  readonly isLocal: boolean
  /** it is known not to understand the question which protocol it speaks */
  readonly isLegacy: boolean
}

export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { sdk, limits, transport } = options
  const running = new Set<ToolContext>()
  const listeners = new Map<string, (params: Loose) => void>()
  const client = createClient(options, running)
  const lost = Promise.withResolvers<string>()
  let why: string | undefined
  const hooks: Pick<Client, 'onclose' | 'onerror'> = {
    onerror: (error) => {
      if (error instanceof Misbehaviour) why = error.message
    },
    onclose: () => lost.resolve(why ?? CONNECTION_LOST),
  }
  Object.assign(client, hooks)
  transport.tellProgress = (params) => {
    if (isObject(params)) listeners.get(String(params['progressToken']))?.(params)
  }
  await handshake(client, options)
  const isModern = client.getProtocolEra() === 'modern'
  if (isModern) void listenForChanges(client, options)

  return {
    client,
    sdk,
    isModern,
    running,
    listeners,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    lost: lost.promise,
    get why() {
      return why
    },
    drop: (reason) => lost.resolve(reason),
    list: async (until) => {
      const offers = await listTools(client, limits, until)
      return isModern && !options.isLocal ? offers.map(withProperHeaders) : offers
    },
    async ping() {
      const patience = { timeout: limits.pingMs }
      await (isModern ? client.discover(patience) : client.ping(patience))
    },
    close: () => transport.close().catch(() => {}),
  }
}

function createClient(
  { sdk, name, folder, limits, isLocal, onToolsChanged }: ConnectionOptions,
  running: Set<ToolContext>,
): Client {
  const asked = new WeakMap<ToolContext, number>()
  const client = new sdk.Client(
    { name: 'segno', version: VERSION },
    {
      capabilities: { roots: {}, elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: isLocal ? limits.probeMs : limits.startMs } },
      inputRequired: { autoFulfill: false },
    },
  )
  client.setRequestHandler('roots/list', () => ({ roots: rootsOf(folder) }))
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const [ctx, ...others] = running
    // A question that might belong to another call would show one person's words to somebody else.
    if (ctx === undefined || others.length > 0) return { action: 'decline' }
    const times = (asked.get(ctx) ?? 0) + 1
    asked.set(ctx, times)
    return times > limits.maxQuestions ? { action: 'decline' } : askPerson(params, name, ctx)
  })
  client.setNotificationHandler('notifications/tools/list_changed', () => onToolsChanged())
  return client
}

/** The folder of the workspace is all a server is told to work on. */
export function rootsOf(folder: string | undefined): { uri: string; name: string }[] {
  return folder === undefined ? [] : [{ uri: pathToFileURL(folder).href, name: 'workspace' }]
}

async function handshake(client: Client, { limits, transport, isLegacy, signal }: ConnectionOptions): Promise<void> {
  const aborted = Promise.withResolvers<never>()
  const stop = (): void => {
    aborted.reject(new Misbehaviour('it did not start in time'))
    void transport.close().catch(() => {})
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    const patience = { timeout: limits.startMs }
    const connected = client.connect(transport, isLegacy ? { ...patience, prior: { kind: 'legacy' } } : patience)
    connected.catch(() => {})
    await Promise.race([connected, aborted.promise])
  } catch (error) {
    await transport.close().catch(() => {})
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    aborted.promise.catch(() => {})
  }
}

/** Since 2026 a server tells of changes only to those who listen. What changed while the stream was cut is looked up. */
async function listenForChanges(client: Client, { onToolsChanged }: ConnectionOptions): Promise<void> {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return
  try {
    for (;;) {
      const subscription = await client.listen({ toolsListChanged: true })
      if ((await subscription.closed) !== 'remote') return
      await later(LISTEN_AGAIN_MS)
      onToolsChanged()
    }
  } catch {
    // The connection is over, or the server cannot be listened to: its tools are read again when it starts anew.
  }
}

function withProperHeaders(offer: Offer): Offer {
  const fault = 'wire' in offer ? headerFault(offer.wire['inputSchema']) : undefined
  return fault === undefined ? offer : { name: offer.name, fault }
}

async function listTools(client: Client, limits: McpLimits, signal: AbortSignal): Promise<readonly Offer[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const offers: Offer[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const request = { method: 'tools/list', ...(cursor !== undefined && { params: { cursor } }) }
    const page = await client.request(request, AS_IT_CAME, { signal, timeout: limits.startMs })
    if (!isObject(page) || !Array.isArray(page['tools'])) throw new Misbehaviour('its list of tools is none')
    for (const listed of page['tools'] as unknown[]) {
      if (offers.length === limits.maxTools)
        return [...offers, { name: '(more)', fault: `only ${limits.maxTools} tools of a server are taken` }]
      offers.push(readOffer(listed, limits.definitionBytes))
    }
    const next = page['nextCursor']
    if (typeof next !== 'string' || next === cursor) return offers
    cursor = next
  }
  return offers
}
