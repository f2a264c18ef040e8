import type { ModelParams } from '../../contract/model-params.ts'
import type { ModelEntry } from '../model.ts'
import { capabilitiesOf } from '../registry/capabilities.ts'
import { featuresOf } from '../render/provider-features.ts'

/** A parameter that a model does not take, and why, as it is said after the parameter's name. */
export interface ParamFault {
  readonly field: keyof ModelParams
  readonly why: string
}

/** Which of these parameters a model would refuse. */
export function paramFaults(params: ModelParams, model: Omit<ModelEntry, 'language'>): readonly ParamFault[] {
  const { key, modelId } = model
  const { effort, temperature, maxOutput, tools, toolChoice } = params
  const can = capabilitiesOf(model)
  const { strictThinking, mostTemperature = 2, leastOutput = 1, cannotForce } = featuresOf(model)
  const thinking = can.reasoning && (strictThinking?.(modelId, effort ?? model.effort) ?? false)
  const faults: ParamFault[] = []
  const fault = (field: ParamFault['field'], why: string): void => void faults.push({ field, why })

  if (effort !== undefined && effort !== 'none' && !can.reasoning)
    fault('effort', `cannot be set: ${key} does not think. Leave it out, or use a model that does`)
  else if (effort === 'none' && thinking === 'always')
    fault('effort', `cannot be none: ${key} always thinks; low is the least`)

  if (temperature !== undefined) {
    if (!can.takesTemperature) fault('temperature', `cannot be set: ${key} takes none. Leave it out`)
    else if (thinking)
      fault('temperature', `cannot be set while ${key} thinks. Leave it out${noThinking(thinking, ', or set effort')}`)
    else if (temperature > mostTemperature) fault('temperature', `must be at most ${mostTemperature} for ${key}`)
  }

  if (maxOutput !== undefined && maxOutput < leastOutput)
    fault('maxOutput', `must be at least ${leastOutput} for ${key}`)

  if (tools !== undefined && tools.length > 0 && !can.tools)
    fault('tools', `cannot be used: ${key} has no tools. Leave it out, or use a model that has`)

  if (toolChoice === 'required' || typeof toolChoice === 'object') {
    const auto = 'Set toolChoice to auto, or use another model'
    if (!can.tools) fault('toolChoice', `cannot be forced: ${key} has no tools. ${auto}`)
    else if (cannotForce) fault('toolChoice', `cannot be forced: ${key} chooses for itself. ${auto}`)
    else if (thinking)
      fault('toolChoice', `cannot be forced while ${key} thinks. ${auto}${noThinking(thinking, '; or set effort')}`)
  }
  return faults
}

const noThinking = (thinking: true | 'always', words: string): string =>
  thinking === 'always' ? '' : `${words} to none`
