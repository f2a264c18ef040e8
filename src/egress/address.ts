import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Parsed = ipaddr.IPv4 | ipaddr.IPv6

/** Azure answers its machines here, with their secrets, though the range is a public one. */
const AZURE_HOST = '168.63.129.16'

/**
 * Why an address is not one of the public internet, in a word; undefined if it is. Everything is judged by its parsed
 * bytes, and only what is known to be global unicast passes. `own` are the addresses of this machine: a public one of
 * them leads past the firewall that stands in front of it.
 */
export function addressFault(address: string, own: readonly string[] = []): string | undefined {
  const parsed = parse(address)
  if (parsed === undefined) return 'not an address'
  const judged = withoutNat64(parsed)
  const range = judged.range()
  if (range !== 'unicast') return range
  // All of IPv6 that has been given out is within 2000::/3; the rest has no meaning yet.
  if (judged instanceof ipaddr.IPv6 && (judged.parts[0] ?? 0) >> 13 !== 1) return 'reserved'
  const text = judged.toNormalizedString()
  if (text === AZURE_HOST) return 'metadata'
  if (own.some((one) => parse(one)?.toNormalizedString() === text)) return 'this machine'
  return undefined
}

/** The library reads notations that no one here should produce, and forgets zones; the system's own reading comes first. */
function parse(address: string): Parsed | undefined {
  return isIP(address) === 0 || address.includes('%') ? undefined : ipaddr.parse(address)
}

/**
 * On networks without IPv4 every IPv4 address comes as 64:ff9b::/96, and the gateway sends the rest of it on: that is
 * what has to be public. All other ways to write IPv4 inside IPv6 are refused as what they are.
 */
function withoutNat64(parsed: Parsed): Parsed {
  if (!(parsed instanceof ipaddr.IPv6)) return parsed
  const isNat64 = parsed.match(ipaddr.IPv6.parse('64:ff9b::'), 96)
  return isNat64 ? new ipaddr.IPv4(parsed.toByteArray().slice(12)) : parsed
}
