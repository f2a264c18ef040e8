import type { ProviderInput, ProviderRecord } from '../contract/provider.ts'

/** What an operator gave, with a kind and an address that nothing has to be looked up for. */
export interface CompleteInput extends Omit<ProviderInput, 'kind' | 'baseURL'> {
  readonly kind: string
  readonly baseURL?: string
}

/** What was left out stays as it was; a new one is what its name says, or a server of your own. */
export function completeInput(
  name: string,
  { kind: given, baseURL: address, local: own, ...rest }: ProviderInput,
  earlier: ProviderRecord | undefined,
  kinds: readonly string[],
): CompleteInput {
  const kind = given ?? earlier?.kind ?? (kinds.includes(name) ? name : 'openai-compatible')
  const before = earlier?.kind === kind ? earlier : undefined
  const baseURL = address === undefined ? before?.baseURL : (address ?? undefined)
  const local = own ?? before?.local
  return { ...rest, kind, ...(baseURL !== undefined && { baseURL }), ...(local !== undefined && { local }) }
}
