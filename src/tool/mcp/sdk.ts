/** The SDK takes long to load: it comes with the first server that is started. */
export type Sdk = typeof import('@modelcontextprotocol/client')

let loaded: Promise<Sdk> | undefined

export function loadSdk(): Promise<Sdk> {
  return (loaded ??= import('@modelcontextprotocol/client'))
}
