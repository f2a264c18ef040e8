import type { JsonObject } from '../../contract/message.ts'
import type { Tool, ToolContext, ToolOutput } from '../../contract/tool.ts'
import type { Egress } from '../../egress/index.ts'
import { textArgument } from '../local/text-argument.ts'
import { isKnownHost, isListedHost } from './known-hosts.ts'

export interface WebLimits {
  /** for a request, until the end of the response */
  readonly fetchMs: number
  /** of a body; a longer text is cut, a longer file not shown */
  readonly bodyBytes: number
  /** for turning a page into text */
  readonly convertMs: number
}

interface WebFetchOptions {
  readonly egress: Egress
  /** hosts that are read without asking; `*.host` is every name below it */
  readonly knownHosts: readonly string[]
  readonly limits: WebLimits
}

const GRACE_MS = 5_000

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const SHAPES = ['markdown', 'text', 'raw'] as const

/** Reads a page of the public web, or sends something to it. */
export function webFetch({ egress, knownHosts, limits }: WebFetchOptions): Tool {
  const isKnown = (url: URL): boolean => isKnownHost(url, knownHosts)
  return {
    name: 'web_fetch',
    description:
      'Fetches a URL of the public web. Pages come as markdown, other text as it is, pictures and PDF as files; the first ' +
      'line says the final URL, the status and the type. Redirects to another host are not followed but told.',
    consent: 'webSearch',
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

export type WebCall = ReturnType<typeof readWebCall>

function readWebCall(args: JsonObject) {
  const { method, body, as } = args
  const written = textArgument(args, 'url')
  const url = URL.parse(written)
  if (url !== null) url.hash = ''
  return {
    method: METHODS.find((one) => one === method) ?? 'GET',
    /** undefined if it is no URL */
    url: url ?? undefined,
    /** the URL in normal form, or what was written if it is none */
    href: url?.href ?? written,
    body: typeof body === 'string' ? body : undefined,
    contentType: textArgument(args, 'contentType', 'application/json'),
    as: SHAPES.find((one) => one === as) ?? 'markdown',
  }
}

/** Whether the method changes nothing, if the server follows HTTP. */
const isReading = ({ method }: WebCall): boolean => method === 'GET' || method === 'HEAD'

/** Whether it sends a known host only a path: no query, and no made-up host name. */
function isPlain(call: WebCall, knownHosts: readonly string[]): boolean {
  return readsKnown(call, (url) => isListedHost(url, knownHosts)) && !call.href.includes('?')
}

function readsKnown(call: WebCall, isKnown: (url: URL) => boolean): boolean {
  return isReading(call) && call.url !== undefined && isKnown(call.url)
}

/** Everything that is sent, because a person decides about it. */
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
      // Reading stops at `bodyBytes`; this is a safeguard.
      maxBytes: limits.bodyBytes + 1024 * 1024,
      // Only this host was judged and perhaps approved; another one is a new call.
      follow: (to) => (isReading(call) ? isSameHost(url, to) : to.origin === url.origin),
      onSend: () => {
        isSent = true
      },
    })
    // Loaded with the first response, because it brings all of node:http.
    const { showResponse } = await import('./show-response.ts')
    return await showResponse(response, call, limits, ctx.signal)
  } catch (error) {
    if (isReading(call) || !isSent) throw error
    throw inDoubt(error, call)
  }
}

/** Another scheme is the same host, another port may be somebody else. */
function isSameHost(a: URL, b: URL): boolean {
  return a.hostname === b.hostname && a.port === b.port
}

function inDoubt(error: unknown, { method }: WebCall): Error {
  const why = error instanceof Error ? error.message : String(error)
  const message = `${why} The ${method} had been sent; whether it took effect is not known.`
  return Object.assign(new Error(message, { cause: error }), { effect: 'unknown' })
}
