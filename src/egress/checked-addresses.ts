import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { addressFault } from './address.ts'
import { EgressFailed, EgressRefused } from './errors.ts'
import { noPublicAddress, type Target } from './target.ts'

/** All addresses of a name. Throws, with a `code` of getaddrinfo where there is one, when there are none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

/** What the system says, hosts file included: not how a name was found, but where it leads is judged. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))

/** The addresses a request may connect to. One forbidden address among them refuses them all. */
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
  // What the URL itself says is no secret.
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
