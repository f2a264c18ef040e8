import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client'
import { pathToFileURL } from 'node:url'
import type { ToolContext } from '../../contract/tool.ts'
import { delay } from '../../lib/delay.ts'
import { VERSION } from '../../lib/version.ts'
import { askPerson } from './ask-person.ts'
import { headerFault } from './header-fault.ts'
import type { GuardedTransport } from './guarded-transport.ts'
import { isObject, type UnknownRecord } from '../../lib/type-guards.ts'
import type { McpLimits } from './mcp.ts'
import { readOffer, type Offer } from './offer.ts'
import type { OpenOptions } from './open-connection.ts'
import type { Sdk } from './sdk.ts'
import { taskFault } from './tasks.ts'
import { CONNECTION_LOST, Misbehaviour } from './trouble.ts'

const MOST_PAGES = 50
const LISTEN_AGAIN_MS = 1000
/** What a task asks is marked with it. */
const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** Accepts any answer, because the SDK's own schemas drop fields they do not know. */
export const AS_IT_CAME: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'segno', validate: (value) => ({ value }) },
}

export type Connection = Awaited<ReturnType<typeof connect>>

export interface ConnectionOptions extends OpenOptions {
  readonly sdk: Sdk
  readonly transport: GuardedTransport
  /** a child process, which gets less time to say which protocol it speaks than another machine */
  readonly isLocal: boolean
  /** it is known to use the older protocol, which has no such question */
  readonly isLegacy: boolean
}

export async function connect(options: ConnectionOptions) {
  const { sdk, limits, transport } = options
  const running = new Set<ToolContext>()
  const listeners = new Map<string, (params: UnknownRecord) => void>()
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
  // In the newer protocol tasks are an extension, which the SDK does not have.
  const takesTasks = !isModern && client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined
  if (isModern) void listenForChanges(client, options)

  return {
    client,
    sdk,
    isModern,
    maxQuestions: limits.maxQuestions,
    taskMs: limits.taskMs,
    /** calls under way, for questions that do not say to which call they belong */
    running,
    /** who wants to hear of a call's progress, by its token */
    listeners,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    /** resolves with the reason when the connection ends */
    lost: lost.promise,
    /** what the server did that ended it */
    get why() {
      return why
    },
    /** Gives the connection up. */
    drop: (reason: string): void => lost.resolve(reason),
    takesTasks,
    list: async (until: AbortSignal): Promise<readonly Offer[]> => {
      const offers = (await listTools(client, limits, until)).map(withoutTasks({ takesTasks, isModern }))
      return isModern && !options.isLocal ? offers.map(withProperHeaders) : offers
    },
    async ping(): Promise<void> {
      const patience = { timeout: limits.pingMs }
      await (isModern ? client.discover(patience) : client.ping(patience))
    },
    close: (): Promise<void> => transport.close().catch(() => {}),
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
    // Whoever waits for a task cannot be asked, and the calls that run now are not meant.
    if (params._meta?.[RELATED_TASK] !== undefined) return { action: 'decline' }
    const [ctx, ...others] = running
    // If it might belong to another call, the wrong person could see it.
    if (ctx === undefined || others.length > 0) return { action: 'decline' }
    const times = (asked.get(ctx) ?? 0) + 1
    asked.set(ctx, times)
    return times > limits.maxQuestions ? { action: 'decline' } : askPerson(params, name, ctx)
  })
  client.setNotificationHandler('notifications/tools/list_changed', () => onToolsChanged())
  return client
}

/** A server is told to work in the workspace folder only. */
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

/** Since 2026, servers announce changes only to listeners; after an interruption the tools are listed again. */
async function listenForChanges(client: Client, { onToolsChanged }: ConnectionOptions): Promise<void> {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return
  try {
    for (;;) {
      const subscription = await client.listen({ toolsListChanged: true })
      if ((await subscription.closed) !== 'remote') return
      await delay(LISTEN_AGAIN_MS)
      onToolsChanged()
    }
  } catch {
    // The connection ended, or the server has no such stream; its tools are listed again at the next start.
  }
}

function withProperHeaders(offer: Offer): Offer {
  const fault = 'wire' in offer ? headerFault(offer.wire['inputSchema']) : undefined
  return fault === undefined ? offer : { name: offer.name, fault }
}

/** Only those that can be called in this connection. */
const withoutTasks =
  (connection: Parameters<typeof taskFault>[1]) =>
  (offer: Offer): Offer => {
    const fault = 'wire' in offer ? taskFault(offer.wire, connection) : undefined
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
