import { PROVIDERS } from '../providers/provider-table.ts'
import type { Provider } from '../providers/provider.ts'

/** How a provider is set up, without what is secret. */
export interface ProviderSetUp {
  readonly name: string
  readonly kind: string
  readonly baseURL?: string
  readonly hasKey: boolean
  /** what sets it up, if settings do */
  readonly setting?: string
  /** why it cannot be used */
  readonly missing?: string
}

/** The kinds that may be set over HTTP: a server of one's own, or a service with a key. */
export const STORED_KINDS = PROVIDERS.filter(({ needs }) => needs !== 'nothing').map(({ name }) => name)

export const isSetUp = ({ isSet, from }: Provider): boolean => isSet || from !== 'known'

export function setUpOf({ name, kind, from, baseURL, apiKey, setting, missing }: Provider): ProviderSetUp {
  const by = from === 'file' ? 'SEGNO_PROVIDERS' : setting
  return {
    name,
    kind,
    hasKey: apiKey !== '',
    ...(baseURL !== undefined && { baseURL }),
    ...(by !== undefined && { setting: by }),
    ...(missing !== undefined && { missing }),
  }
}
