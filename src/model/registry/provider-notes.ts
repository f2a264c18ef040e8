import { makeModel, type Connections } from '../providers/connections.ts'
import { DEFAULTS, type Model } from '../model.ts'
import type { ListedModel } from './listed-model.ts'
import { offered, probe } from './probe.ts'
import type { Provider } from '../providers/provider.ts'

/** Whether a provider can be used, in a sentence for who runs Segno. */
export interface ProviderNote {
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
export function providerNotes(chosen: Chosen, reach: Connections, probeMs: number): Promise<ProviderNote[]> {
  return Promise.all(
    reach.all().map(async (provider) => {
      // One with a standard model has a key, and need not be asked.
      const asked = provider.lists && provider.standard === undefined && provider.missing === undefined
      const has = asked ? await probe((signal) => offered(provider, signal), probeMs) : undefined
      const fault = provider.kind === 'package' && provider.missing === undefined ? await faultOf(provider) : undefined
      return fault === undefined
        ? providerNote(provider, chosen, has)
        : { name: provider.name, usable: false, note: fault }
    }),
  )
}

/** Why a package makes no models. */
async function faultOf(provider: Provider): Promise<string | undefined> {
  try {
    await makeModel(provider, 'model', DEFAULTS)
    return undefined
  } catch (error) {
    return (error as Error).message.slice(0, FAULT_CHARS)
  }
}

const FAULT_CHARS = 300

function providerNote(
  provider: Provider,
  { model: chosen, why }: Chosen,
  has: readonly ListedModel[] | undefined,
): ProviderNote {
  const { name, missing, baseURL, isSet } = provider
  if (missing !== undefined) return { name, usable: false, note: missing }
  if (chosen.provider === name) return { name, usable: true, note: `${chosen.key} is the default model: ${why}` }
  if (has?.length === 0) return { name, usable: false, note: `nothing at ${baseURL} says which models it has` }
  const example = provider.standard ?? `${name}:${has?.[0]?.modelId ?? '<model>'}`
  const instead = isSet ? `not the default, for ${chosen.key} is: ${why}; ` : ''
  return { name, usable: true, note: `${instead}SEGNO_MODEL=${example} would make it so` }
}
