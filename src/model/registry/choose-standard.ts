import type { Connections } from '../providers/connections.ts'
import { describeListed, offered, probe } from './probe.ts'
import type { ServerModels } from './server-models.ts'

/** The default model where none is named, and why it was chosen. */
export async function chooseStandard(
  reach: Connections,
  servers: ServerModels,
  probeMs: number,
): Promise<{ readonly standard: string; readonly why: string }> {
  const silent: string[] = []
  for (const provider of reach.all()) {
    const { name, standard, lists, isSet, missing, why, place } = provider
    if (missing !== undefined) continue
    if (standard !== undefined) return { standard, why }
    if (!lists) continue
    const [first] = await probe(
      async (signal) => describeListed(provider, (await offered(provider, signal)).slice(0, 1), signal),
      probeMs,
    )
    if (first) {
      servers.tell(provider, [first])
      return { standard: `${name}:${first.modelId}`, why: `${name} answers and has it` }
    }
    if (isSet) silent.push(place)
  }
  const asked = silent.map((place) => `what ${place} names does not say which models it has`)
  return { standard: 'scripted', why: [...asked, 'no provider is set up: ANTHROPIC_API_KEY would do'].join('; ') }
}
