import type { Check, Fault } from '../fault.ts'
import { isDict, textOf, type Dict } from '../values.ts'
import { cacheFaults } from './anthropic-cache.ts'
import { messageFaults } from './anthropic-messages.ts'
import { thinkingFaults } from './anthropic-thinking.ts'
import { toolFaults } from './anthropic-tools.ts'
import { textFault } from './anthropic-blocks.ts'
import { anthropicFormatFaults } from './output.ts'

const FIELDS =
  'model messages max_tokens system metadata stop_sequences stream temperature thinking tool_choice tools top_k top_p ' +
  'service_tier container output_config cache_control inference_geo'
const ALLOWED = new Set(FIELDS.split(' '))

/** What the Messages API refuses. */
export const checkAnthropic: Check = (body, { sent }) =>
  [
    ...Object.keys(body).flatMap((field) => (ALLOWED.has(field) ? [] : [`${field}: Extra inputs are not permitted`])),
    ...(textOf(body['model']) === '' ? ['model: Field required'] : []),
    ...maxTokensFaults(body),
    ...samplingFaults(body),
    ...systemFaults(body['system']),
    ...toolFaults(body),
    ...messageFaults(body),
    ...thinkingFaults(body, sent),
    ...cacheFaults(body),
    ...anthropicFormatFaults(body['output_config']),
  ].map((message): Fault => ({ message }))

function maxTokensFaults({ max_tokens: wanted, model }: Dict): string[] {
  if (wanted === undefined) return ['max_tokens: Field required']
  if (typeof wanted !== 'number' || !Number.isInteger(wanted)) return ['max_tokens: Input should be a valid integer']
  if (wanted < 1) return ['max_tokens: Input should be greater than or equal to 1']
  const name = textOf(model)
  const most = /-4-5/.test(name) ? 64_000 : /-opus-4-1/.test(name) ? 32_000 : 128_000
  if (wanted <= most) return []
  return [`max_tokens: ${wanted} > ${most}, which is the maximum allowed number of output tokens for ${name}`]
}

const WITHOUT_SAMPLING = /-opus-4-[78]|-(?:opus|sonnet|haiku|fable)-5/

function samplingFaults({ temperature, top_p: topP, top_k: topK, thinking, model }: Dict): string[] {
  const given = Object.entries({ temperature, top_p: topP, top_k: topK }).filter(([, value]) => value !== undefined)
  if (WITHOUT_SAMPLING.test(textOf(model))) return given.map(([name]) => `\`${name}\` is deprecated for this model.`)
  const thinks = isDict(thinking) && thinking['type'] !== 'disabled'
  return [
    ...(typeof temperature === 'number' && (temperature < 0 || temperature > 1) ? ['temperature: range: 0..1'] : []),
    ...(thinks && temperature !== undefined && temperature !== 1
      ? ['`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.']
      : []),
    ...(thinks && topK !== undefined ? ['`top_k` must be unset when thinking is enabled or in adaptive mode.'] : []),
    ...(temperature !== undefined && topP !== undefined
      ? ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.']
      : []),
  ]
}

function systemFaults(system: unknown): string[] {
  if (system === undefined) return []
  const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : system
  if (!Array.isArray(blocks)) return ['system: Input should be a valid list']
  return blocks.flatMap((block: unknown, at) => {
    if (!isDict(block) || block['type'] !== 'text') return [`system.${at}.type: Input should be 'text'`]
    const fault = textFault(block)
    return fault === undefined ? [] : [`system: ${fault}`]
  })
}
