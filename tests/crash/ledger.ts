import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EffectClass } from '../../src/contract/outcome.ts'
import { startIsStored } from './durable-start.ts'

/** A request for an effect as it arrived at the world outside. */
export interface Delivery {
  readonly home: string
  readonly sessionId: string
  readonly requestId: string
  readonly callId: string
  readonly key: string
  readonly effect: EffectClass
  readonly args: unknown
  /** it came from a workflow that was handed over */
  readonly isWorkflow?: true
  /** false where the world knew the key already and did nothing */
  readonly happened: boolean
  /** was `tool.started` of this call in the file when the request arrived? */
  readonly startStored: boolean
}

export type Asked = Omit<Delivery, 'happened' | 'startStored'>

/** Where workflows are handed over: behind it come their effect and their home. */
export const WORKFLOWS = '/workflow/'

function handedOver({ url = '', headers }: IncomingMessage, text: string): Asked {
  const [effect, home = ''] = url.slice(WORKFLOWS.length).split('/')
  const key = String(headers['idempotency-key'])
  const args = JSON.parse(text) as unknown
  const nobody = { sessionId: '', requestId: '', callId: '' }
  return { home: decodeURIComponent(home), ...nobody, key, effect: effect as EffectClass, args, isWorkflow: true }
}

type Listener = (what: 'ready' | 'speech' | 'delivery', item?: unknown) => unknown

/** The world outside, kept by a process that nobody kills: what it counted is the truth about effects. */
export interface Ledger {
  readonly url: string
  of(home: string): Delivery[]
  /**
   * Calls `listener` when a process says it is ready to be hit or that the model speaks, or delivers an effect. The process
   * is answered when the promise is kept that it gives back, if it does.
   */
  listen(home: string, listener: Listener): () => void
  close(): Promise<void>
}

/** Was `tool.started` of this call stored when the world was asked? By default in the file of its home. */
type IsStored = (asked: Asked, item: unknown) => boolean | Promise<boolean>

const inFile: IsStored = ({ home, callId }, item) => startIsStored(home, { callId, item })

export async function startLedger(isStored = inFile): Promise<Ledger> {
  const byHome = new Map<string, Delivery[]>()
  const taken = new Set<string>()
  const listeners = new Map<string, Listener>()

  async function deliver(asked: Asked): Promise<{ happened: boolean }> {
    const { item } = asked.args as { item?: unknown }
    const startStored = await isStored(asked, item)
    const known = byHome.get(asked.home) ?? []
    byHome.set(asked.home, known)
    const happened = asked.effect !== 'keyed' || !known.some(({ key }) => key === asked.key)
    known.push({ ...asked, happened, startStored })
    await listeners.get(asked.home)?.('delivery', item)
    return { happened }
  }

  /** True once for each thing: whoever must not do it a second time asks first. */
  function firstTime({ home, item }: { home: string; item: string }): { happened: boolean } {
    const happened = !taken.has(`${home} ${item}`)
    taken.add(`${home} ${item}`)
    return { happened }
  }

  function lookUp({ home, key }: Asked): { happened: boolean } {
    return { happened: (byHome.get(home) ?? []).some((one) => one.key === key) }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const text = Buffer.concat(pieces).toString()
    if (request.url?.startsWith(WORKFLOWS)) {
      await deliver(handedOver(request, text))
      return void response.writeHead(202).end()
    }
    const asked = JSON.parse(text) as Asked
    if (request.url === '/ready' || request.url === '/speech') {
      const { node } = asked as { node?: string }
      await listeners.get(asked.home)?.(request.url === '/ready' ? 'ready' : 'speech', node)
      response.end('{}')
    } else if (request.url === '/first-time') response.end(JSON.stringify(firstTime(asked as never)))
    else response.end(JSON.stringify(request.url === '/effect' ? await deliver(asked) : lookUp(asked)))
  }

  // Half a request from a process that died in the middle of it is no request.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    of: (home) => byHome.get(home) ?? [],
    listen(home, listener) {
      listeners.set(home, listener)
      return () => listeners.delete(home)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
