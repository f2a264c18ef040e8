import type { JsonObject } from '../../contract/message.ts'
import type { Tool, ToolContext, ToolOutput } from '../../contract/tool.ts'
import type { Egress } from '../../egress/index.ts'
import { isKnownHost, isListedHost } from './known-hosts.ts'
import { isReading, METHODS, readWebCall, SHAPES, type WebCall } from './web-call.ts'

const WEB_LIMITS = {
  /** of a request, until the end of its answer */
  fetchMs: 30_000,
  /** of a body; a longer text is cut, a longer file not shown */
  bodyBytes: 5 * 1024 * 1024,
  /** for turning a page into text */
  convertMs: 5_000,
}
export type WebLimits = Readonly<typeof WEB_LIMITS>

interface WebFetchOptions {
  readonly egress: Egress
  /** hosts that are read without asking; `*.host` stands for every name below it */
  readonly knownHosts: readonly string[]
  readonly limits?: Partial<WebLimits>
}

const GRACE_MS = 5_000

/** Reads a page of the public web, or sends something to it. */
export function webFetch({ egress, knownHosts, limits: given = {} }: WebFetchOptions): Tool {
  const limits = { ...WEB_LIMITS, ...given }
  const isKnown = (url: URL): boolean => isKnownHost(url, knownHosts)
  return {
    name: 'web_fetch',
    description:
      'Fetches a URL of the public web. Pages come as markdown, other text as it is, pictures and PDF as files; the first ' +
      'line says the final URL, the status and the type. Redirects to another host are not followed but told.',
    input: INPUT,
    effect: (args) => (isReading(readWebCall(args)) ? 'pure' : 'unsafe'),
    approval: (args) => (readsKnown(readWebCall(args), isKnown) ? 'auto' : 'ask'),
    reach: (args) => [isPlain(readWebCall(args), knownHosts) ? 'address' : 'outward'],
    own: false,
    normalise: { url: 'url' },
    target: (args) => targetOf(readWebCall(args)),
    outputChars: 50_000,
    timeoutMs: limits.fetchMs + limits.convertMs + GRACE_MS,
    run: (args, ctx) => run(args, ctx, egress, limits),
  }
}

const INPUT: Tool['input'] = {
  type: 'object',
  properties: {
    url: { type: 'string', minLength: 1, maxLength: 8000, description: 'absolute, http or https' },
    method: { type: 'string', enum: METHODS, default: 'GET' },
    body: { type: 'string', maxLength: 1_000_000, description: 'what to send with POST, PUT, PATCH or DELETE' },
    contentType: {
      type: 'string',
      maxLength: 200,
      pattern: '^[\\w!#$&^.+-]+/[\\w!#$&^.+-]+( ?; ?[\\w.-]+=[\\w"+./-]+)*$',
      default: 'application/json',
      description: 'the type of the body',
    },
    as: { type: 'string', enum: SHAPES, default: 'markdown', description: 'how to show HTML; raw is its source' },
  },
  required: ['url'],
  additionalProperties: false,
}

/** It tells a known host nothing but a path: no query, and no name of a host that was made up for the purpose. */
function isPlain(call: WebCall, knownHosts: readonly string[]): boolean {
  return readsKnown(call, (url) => isListedHost(url, knownHosts)) && !call.href.includes('?')
}

function readsKnown(call: WebCall, isKnown: (url: URL) => boolean): boolean {
  return isReading(call) && call.url !== undefined && isKnown(call.url)
}

/** Everything that leaves, in full: it is what a person decides about. */
function targetOf({ method, href, body, contentType }: WebCall): string {
  const line = `${method} ${href}`
  return body === undefined ? line : `${line}\n${contentType}\n\n${body}`
}

async function run(args: JsonObject, ctx: ToolContext, egress: Egress, limits: WebLimits): Promise<ToolOutput> {
  const call = readWebCall(args)
  const { url, method, body, contentType } = call
  if (url === undefined)
    throw new Error(`url: expected an absolute URL such as https://example.com/, got "${call.href}"`)
  if (isReading(call) && body !== undefined) throw new Error(`body: ${method} sends none; leave it out or use POST.`)
  let isSent = false
  try {
    const response = await egress.fetch(url, {
      method,
      ...(body !== undefined && { body, headers: { 'content-type': contentType } }),
      signal: ctx.signal,
      totalMs: limits.fetchMs,
      // Reading stops by itself where it is enough; this is for what would go on.
      maxBytes: limits.bodyBytes + 1024 * 1024,
      // What was judged, and perhaps approved, is this host: where else it leads is told, and asked for anew.
      follow: (to) => (isReading(call) ? isSameHost(url, to) : to.origin === url.origin),
      onSend: () => {
        isSent = true
      },
    })
    // Loaded with the first answer: it brings all that Node has for HTTP.
    const { showResponse } = await import('./show-response.ts')
    return await showResponse(response, call, limits, ctx.signal)
  } catch (error) {
    if (isReading(call) || !isSent) throw error
    throw inDoubt(error, call)
  }
}

/** The same host by another scheme is the same host, by another port it may be anybody. */
function isSameHost(a: URL, b: URL): boolean {
  return a.hostname === b.hostname && a.port === b.port
}

function inDoubt(error: unknown, { method }: WebCall): Error {
  const why = error instanceof Error ? error.message : String(error)
  const message = `${why} The ${method} had been sent; whether it took effect is not known.`
  return Object.assign(new Error(message, { cause: error }), { effect: 'unknown' })
}
