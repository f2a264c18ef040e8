import { STATUS_CODES } from 'node:http'
import { type ToolOutput, withFiles } from '../../contract/tool.ts'
import { FILE_KINDS, fileFault, plainMediaType } from '../../lib/file-kind.ts'
import { decodeText } from './decode-text.ts'
import { readPage } from './read-page.ts'
import type { WebCall, WebLimits } from './web-fetch.ts'

const HTML = ['text/html', 'application/xhtml+xml']
const TEXT =
  /^text\/|[/+](?:json|xml|yaml|toml)$|^application\/(?:x-)?(?:javascript|ecmascript|ndjson|jsonl?|sh|sql|graphql|www-form-urlencoded)$/
const TYPE = /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/

/** A response for a model to read; never throws because of its content, since an error would mean no effect. */
export async function showResponse(
  response: Response,
  call: WebCall,
  limits: WebLimits,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const header = response.headers.get('content-type') ?? ''
  const type = TYPE.test(plainMediaType(header)) ? plainMediaType(header) : 'unknown type'
  const { status } = response
  const head = `${response.url} — ${status} ${STATUS_CODES[status] ?? ''}`.trim().concat(`, ${type}`)
  const away = awayOf(response)
  if (away !== undefined) {
    await response.body?.cancel()
    return `${head}\n\n${away}`
  }
  if (call.method === 'HEAD') return [head, ...facts(response.headers)].join('\n')
  const { bytes, isCut } = await readUpTo(response.body, limits.bodyBytes)
  if (bytes.length === 0) return `${head}\n\n(no body)`
  if ((FILE_KINDS as readonly string[]).includes(type)) return asFile(head, type, bytes, isCut)
  const text = type === 'unknown type' || TEXT.test(type) ? decodeText(bytes, header, isCut) : undefined
  if (text === undefined) return `${head}\n\nThe body is not text and not shown: ${size(bytes, isCut)}.`
  const start = `${head}${isCut ? `\n[only the first ${size(bytes, false)} were read]` : ''}\n\n`
  if (!HTML.includes(type) || call.as === 'raw') return start + text
  const page = await readPage({ html: text, base: response.url, as: call.as }, limits.convertMs, signal)
  return start + (page ?? 'The page could not be turned into text. Fetch it with "as": "raw" to see its source.')
}

/** A redirect to another host, which was not approved and so not followed. */
function awayOf(response: Response): string | undefined {
  const location = response.headers.get('location')
  if (response.status < 300 || response.status > 399 || location === null) return undefined
  const to = URL.parse(Buffer.from(location, 'latin1').toString(), response.url)
  if (to === null) return 'It redirects to something that is not a URL.'
  return `It redirects to ${to.href.slice(0, 4000)}\nThis was not followed, because it is another place. Fetch that URL if it is wanted.`
}

function facts(headers: Headers): string[] {
  return ['content-length', 'last-modified', 'etag'].flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [`${name}: ${value.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200)}`]
  })
}

function asFile(head: string, mediaType: string, data: Uint8Array, isCut: boolean): ToolOutput {
  if (isCut) return `${head}\n\nThe file is not shown: it has ${size(data, isCut)}.`
  const fault = fileFault(mediaType, data)
  if (fault !== undefined) return `${head}\n\nThe file is not shown: its ${fault.field} ${fault.message}.`
  return withFiles(`${head}\n\n(a file of ${size(data, false)})`, [{ mediaType, data }])
}

/** The first bytes of a body; the rest is not read. */
async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, most), isCut: length > most }
}

const size = (bytes: Uint8Array, isCut: boolean): string =>
  `${isCut ? 'more than ' : ''}${bytes.length.toLocaleString('en-US')} bytes`
