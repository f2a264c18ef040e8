import type { Clock } from '../lib/clock.ts'
import type { NodeRow } from '../store/index.ts'
import { signedBy, signedHeaders, type SignedRequest } from './sign.ts'

/** How long another node may take to begin its answer. */
const ANSWER_MS = 2000
/** How long a whole wake request may take. */
const WHOLE_MS = 4000

export interface PeerOptions {
  /** without it nodes do not talk to each other */
  readonly secret: string | undefined
  readonly clock: Clock
  self(): string
  nodes(): readonly NodeRow[]
  readonly onUnreachable?: ((id: string) => void) | undefined
  readonly wholeMs?: number
}

export interface NodeRequest {
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  /** for the whole request; the answer must begin within two seconds anyway */
  readonly signal?: AbortSignal
}

/** Signed HTTP requests between nodes. */
export function createPeers({ secret, clock, self, nodes, onUnreachable, wholeMs = WHOLE_MS }: PeerOptions) {
  const unreachable = new Set<string>()

  function missed(id: string): void {
    if (unreachable.has(id)) return
    unreachable.add(id)
    onUnreachable?.(id)
  }

  async function request(id: string, path: string, { method = 'GET', body = '', signal }: NodeRequest = {}) {
    const address = nodes().find((one) => one.id === id)?.address
    if (address === undefined || secret === undefined) throw new Error(`node ${id} has no address`)
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(new Error('no answer in time')), ANSWER_MS)
    try {
      const answer = await fetch(address + path, {
        method,
        headers: {
          ...signedHeaders(secret, self(), clock.now(), { method, path, body }),
          'content-type': 'application/json',
        },
        redirect: 'error',
        signal: AbortSignal.any([timeout.signal, ...(signal ? [signal] : [])]),
        ...(method === 'POST' && { body }),
      })
      // Another status means that it is not the node, or has another secret.
      if (answer.status !== 200) missed(id)
      // A streamed answer of this type can only come from the node itself.
      else if (answer.headers.get('content-type') === 'application/x-ndjson') unreachable.delete(id)
      return answer
    } catch (error) {
      if (signal?.aborted !== true) missed(id)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** The answer must name the node, because a load balancer may stand at its address. */
  async function wake(id: string, sessions: readonly string[]): Promise<void> {
    const body = JSON.stringify({ sessions })
    let node: unknown
    try {
      const answer = await request(id, '/internal/wake', { method: 'POST', body, signal: AbortSignal.timeout(wholeMs) })
      if (answer.status === 200) node = ((await answer.json()) as { node?: unknown } | null)?.node
      else await answer.body?.cancel()
    } catch {
      // Handled below like a wrong answer.
    }
    if (node === id) return void unreachable.delete(id)
    missed(id)
    throw new Error(`node ${id} did not answer`)
  }

  return {
    request,
    wake,
    /** The id of the node that sent a request; undefined if it is not of this cluster. */
    authenticate(header: (name: string) => string | undefined, request: SignedRequest): string | undefined {
      return secret === undefined ? undefined : signedBy(secret, clock.now(), header, request)
    },
    /** Nodes that did not answer their last request. */
    unreachable: () => nodes().flatMap(({ id }) => (id !== self() && unreachable.has(id) ? [id] : [])),
    forget: (id: string) => void unreachable.delete(id),
  }
}
