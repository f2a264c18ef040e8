import { isIP } from 'node:net'
import { EgressRefused } from './errors.ts'

/** Where a request goes, parsed once from its URL. */
export interface Target {
  readonly url: URL
  /** a lower-case name without trailing dot, or an address without brackets */
  readonly host: string
  readonly isAddress: boolean
  readonly port: number
  readonly isSecure: boolean
  /** allowed by the operator: may be private, and may not redirect */
  readonly isPrivate: boolean
}

/**
 * Reserved for local networks (RFC 6761, 6762, 7686, 8375, 9476 and ICANN's `internal`); even resolving one would tell
 * the network something.
 */
const LOCAL_ENDINGS = ['local', 'localhost', 'internal', 'home.arpa', 'onion', 'alt', 'test', 'invalid', 'example']

/** The "bad ports" of fetch, where other protocols listen. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Throws EgressRefused if the URL alone shows that it is not allowed. */
export function readTarget(url: string | URL, privateOrigins: ReadonlySet<string>): Target {
  const parsed = plainUrl(url)
  const isPrivate = privateOrigins.has(parsed.origin)
  const isSecure = parsed.protocol === 'https:'
  const port = parsed.port === '' ? (isSecure ? 443 : 80) : Number(parsed.port)
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1')
  const target: Target = { url: parsed, host, isAddress: isIP(host) !== 0, port, isSecure, isPrivate }
  if (!isPrivate) refuseByText(target)
  return target
}

/** Reads an origin from the settings: only scheme, host and port. */
export function readOrigin(text: string): string {
  const url = plainUrl(text)
  if (`${url.pathname}${url.search}${url.hash}` !== '/')
    throw new EgressRefused('url', `expected an origin such as http://n8n:5678, got "${text}"`)
  return url.origin
}

function plainUrl(url: string | URL): URL {
  const parsed = URL.parse(typeof url === 'string' ? url : url.href)
  if (parsed === null) throw new EgressRefused('url', `"${shown(String(url))}" is not a URL that can be read.`)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new EgressRefused('scheme', `${parsed.protocol} is not allowed; use http: or https:.`)
  if (parsed.username !== '' || parsed.password !== '')
    throw new EgressRefused(
      'credentials',
      'A URL must not carry a user name or password; leave out what stands before @.',
    )
  // `example.com.` is `example.com`, also for pools, certificates and comparisons.
  parsed.hostname = parsed.hostname.replace(/\.$/, '')
  return parsed
}

function refuseByText({ host, isAddress, port }: Target): void {
  if (BAD_PORTS.has(port)) throw new EgressRefused('port', `Port ${port} is not one for web pages and is not allowed.`)
  if (isAddress) return
  const labels = host.split('.')
  // Resolvers complete a single label with the local domain.
  const isLocal = labels.length < 2 || LOCAL_ENDINGS.some((ending) => host.endsWith(`.${ending}`))
  if (isLocal || labels.includes(''))
    throw new EgressRefused('name', `"${shown(host)}" is not a name of the public internet. ${HOW_TO_ALLOW}`)
}

/** Also used for names that do not exist, so that nobody learns which names a private network has. */
export const noPublicAddress = (host: string): string => `"${shown(host)}" has no public address. ${HOW_TO_ALLOW}`

const HOW_TO_ALLOW = 'Only an operator can allow an origin of a private network.'

const shown = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
