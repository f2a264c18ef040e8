/** Addresses are shown, so they must not contain secrets: no name, password, query or fragment. */
export function isWebAddress(value: string): boolean {
  const url = URL.parse(value)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false
  return `${url.username}${url.password}${url.search}${url.hash}` === ''
}
