import type { Connections } from '../providers/connections.ts'
import type { Model } from '../model.ts'
import { offered, probe } from './probe.ts'
import { PROVIDERS, type Provider } from '../providers/provider-table.ts'

export interface ProviderView {
  readonly name: string
  readonly usable: boolean
  /** what is missing, or what it is used for */
  readonly note: string
}

interface Chosen {
  readonly model: Model
  readonly why: string
}

/** Asks servers without a key whether they answer. */
export function providerViews(chosen: Chosen, reach: Connections, probeMs: number): Promise<ProviderView[]> {
  return Promise.all(
    PROVIDERS.map(async (provider) => {
      const asked = provider.needs !== 'key' && reach.missing(provider.name) === undefined
      const has = asked ? await probe((signal) => offered(provider, reach, signal), probeMs) : undefined
      return providerView(provider, chosen, reach, has)
    }),
  )
}

function providerView(
  provider: Provider,
  { model: chosen, why }: Chosen,
  reach: Connections,
  has: readonly string[] | undefined,
): ProviderView {
  const { name } = provider
  const missing = reach.missing(name)
  if (missing !== undefined) return { name, usable: false, note: missing }
  if (chosen.provider === name) return { name, usable: true, note: `${chosen.key} is the default model: ${why}` }
  if (has?.length === 0)
    return { name, usable: false, note: `nothing at ${reach.baseURL(provider)} says which models it has` }
  const example = provider.standard ?? `${name}:${has?.[0] ?? '<model>'}`
  const instead = reach.isSet(provider) ? `not the default, for ${chosen.key} is: ${why}; ` : ''
  return { name, usable: true, note: `${instead}SEGNO_MODEL=${example} would make it so` }
}
