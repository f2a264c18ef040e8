import type { Capabilities } from '../../contract/model-facts.ts'
import type { ModelEntry } from '../model.ts'

export function capabilitiesOf(entry: Omit<ModelEntry, 'key'>): Capabilities {
  const {
    tools = true,
    parallelCalls = true,
    reasoning = true,
    takesTemperature = true,
    structuredOutput = false,
  } = entry
  return { tools, parallelCalls, reasoning, takesTemperature, structuredOutput }
}
