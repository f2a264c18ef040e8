import type { ModelChoice } from './choose-models.ts'
import type { Connections } from '../providers/connections.ts'
import { isModel } from './is-model.ts'
import { offered, probe } from './probe.ts'
import { PROVIDERS } from '../providers/provider-table.ts'

/** The model used where nobody asks for another, and why it is that one. */
export async function chooseStandard(
  { model, given, probeMs }: Pick<ModelChoice, 'model' | 'given' | 'probeMs'>,
  reach: Connections,
): Promise<{ standard: string; why: string }> {
  if (given) {
    const standard = isModel(given) ? `${given.provider}:${given.modelId}` : 'scripted'
    return { standard, why: 'it was given in code' }
  }
  if (model !== undefined) return { standard: model, why: 'SEGNO_MODEL names it' }
  const silent: string[] = []
  for (const provider of PROVIDERS) {
    const { name, standard, needs, keySetting, urlSetting } = provider
    if (needs === 'key') {
      if (standard !== undefined && reach.isSet(provider)) return { standard, why: `${keySetting} is set` }
      continue
    }
    if (needs === 'url' && !reach.isSet(provider)) continue
    const [first] = await probe((signal) => offered(provider, reach, signal), probeMs)
    if (first !== undefined) return { standard: `${name}:${first}`, why: `${name} answers and has it` }
    if (reach.isSet(provider)) silent.push(urlSetting)
  }
  const asked = silent.map((setting) => `what ${setting} names does not say which models it has`)
  return { standard: 'scripted', why: [...asked, 'no provider is set up: ANTHROPIC_API_KEY would do'].join('; ') }
}
