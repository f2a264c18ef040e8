import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { addressFault } from './address.ts'
import { EgressFailed, EgressRefused } from './errors.ts'
import { noPublicAddress, type Target } from './target.ts'

/** All addresses of a name; throws if there are none, with getaddrinfo's `code` if it has one. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

/** Includes the hosts file, because the addresses are judged and not their source. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))

/** The addresses a request may connect to; one forbidden address refuses them all. */
export async function checkedAddresses(
  target: Target,
  resolve: Resolve,
  own: () => readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = target.isAddress ? [target.host] : await resolved(target.host, resolve, signal)
  if (target.isPrivate) return addresses
  const mine = own()
  const faults = addresses.map((address) => addressFault(address, mine))
  if (faults.every((fault) => fault === undefined)) return addresses
  // An address in the URL itself is no secret.
  const message = target.isAddress
    ? `${target.host} is not a public address (${faults.join()}).`
    : noPublicAddress(target.host)
  throw new EgressRefused('address', message)
}

async function resolved(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const addresses = await resolve(host, signal)
    if (addresses.length > 0) return addresses
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code !== 'ENOTFOUND' && code !== 'ENODATA')
      throw new EgressFailed('unresolved', `"${host}" could not be looked up just now; try again later.`, error)
  }
  throw new EgressFailed('unresolved', noPublicAddress(host))
}
