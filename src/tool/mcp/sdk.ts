/** Loaded with the first server, because that takes long. */
export type Sdk = typeof import('@modelcontextprotocol/client')

let loaded: Promise<Sdk> | undefined

export function loadSdk(): Promise<Sdk> {
  return (loaded ??= import('@modelcontextprotocol/client'))
}
