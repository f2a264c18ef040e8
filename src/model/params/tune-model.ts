import type { ModelParams } from '../../contract/model-params.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import type { Model } from '../model.ts'
import { capabilitiesOf } from '../registry/capabilities.ts'
import { featuresOf } from '../render/provider-features.ts'
import { paramFaults, type ParamFault } from './param-faults.ts'

/** A model with the parameters of a round, without those it would refuse. */
interface TunedModel {
  readonly model: Model
  readonly params: ModelParams
  readonly leftOut: readonly ParamFault[]
}

export function tuneModel(model: Model, wanted: ModelParams = {}): TunedModel {
  const leftOut = paramFaults(wanted, model)
  const faulty = new Set<string>(leftOut.map(({ field }) => field))
  const params = Object.fromEntries(Object.entries(wanted).filter(([name]) => !faulty.has(name))) as ModelParams
  const { effort, temperature, maxOutput } = params
  const tuned: Model = {
    ...model,
    ...(maxOutput !== undefined && { maxOutput: Math.min(maxOutput, model.maxOutput) }),
    ...(temperature !== undefined && { temperature }),
    ...(effort !== undefined && capabilitiesOf(model).reasoning && { effort }),
  }
  return { model: tuned, params, leftOut }
}

/** Whether the provider can be given the schema of the answer; otherwise the model is asked in words to keep to it. */
export function takesSchema(model: Model, schema: JsonSchema, hasTools: boolean): boolean {
  const { takesSchema: takes } = featuresOf(model)
  return capabilitiesOf(model).structuredOutput && (takes?.(model.modelId, schema, hasTools) ?? true)
}
