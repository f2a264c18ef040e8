import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Parsed = ipaddr.IPv4 | ipaddr.IPv6

/** A public range, but Azure answers its machines there with their secrets. */
const AZURE_HOST = '168.63.129.16'

/**
 * Why an address is not public, undefined if it is; `own` are this machine's addresses, because a public one of them
 * leads past its firewall.
 */
export function addressFault(address: string, own: readonly string[] = []): string | undefined {
  const parsed = parse(address)
  if (parsed === undefined) return 'not an address'
  const judged = withoutNat64(parsed)
  const range = judged.range()
  if (range !== 'unicast') return range
  // All IPv6 addresses in use are within 2000::/3.
  if (judged instanceof ipaddr.IPv6 && (judged.parts[0] ?? 0) >> 13 !== 1) return 'reserved'
  const text = judged.toNormalizedString()
  if (text === AZURE_HOST) return 'metadata'
  if (own.some((one) => parse(one)?.toNormalizedString() === text)) return 'this machine'
  return undefined
}

/** Checked by Node first, because the library accepts odd notations and drops zones. */
function parse(address: string): Parsed | undefined {
  return isIP(address) === 0 || address.includes('%') ? undefined : ipaddr.parse(address)
}

/**
 * Networks without IPv4 map every IPv4 address into 64:ff9b::/96, so the embedded address is judged; any other
 * embedding is refused.
 */
function withoutNat64(parsed: Parsed): Parsed {
  if (!(parsed instanceof ipaddr.IPv6)) return parsed
  const isNat64 = parsed.match(ipaddr.IPv6.parse('64:ff9b::'), 96)
  return isNat64 ? new ipaddr.IPv4(parsed.toByteArray().slice(12)) : parsed
}
