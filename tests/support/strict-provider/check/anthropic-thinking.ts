import { signatureOf } from '../issued.ts'
import type { Sent } from '../sent.ts'
import { dictsOf, isBlank, isDict, textOf, type Dict } from '../values.ts'
import { join, type Joined } from './anthropic-messages.ts'

const WITHOUT_ADAPTIVE = /-4-[015](?:-|$)|-3-/
const WITHOUT_BUDGET = /-opus-4-[78]|-opus-5|-(?:sonnet|haiku)-5-5|-fable-5/
export const ALWAYS_THINKS = /-(?:opus|sonnet)-5-5|-fable-5/

export function thinkingFaults(body: Dict, sent: Sent): string[] {
  const model = textOf(body['model'])
  const joined = join(dictsOf(body['messages']))
  return [
    ...settingFaults(body, model),
    ...joined.flatMap(({ blocks, at }) =>
      blocks.flatMap((block, n) => blockFaults(block, `messages.${at}.content.${n}`, model)),
    ),
    ...(isDict(body['thinking']) && body['thinking']['type'] === 'disabled' ? [] : loopFaults(joined, body, sent)),
  ]
}

function settingFaults({ thinking, max_tokens: maxTokens }: Dict, model: string): string[] {
  if (thinking === undefined) return []
  const { type, budget_tokens: budget } = isDict(thinking) ? thinking : {}
  switch (type) {
    case 'enabled':
      if (WITHOUT_BUDGET.test(model)) return ['"thinking.type.enabled" is not supported for this model.']
      if (typeof budget !== 'number') return ['thinking.enabled.budget_tokens: Field required']
      if (budget < 1024) return ['thinking.enabled.budget_tokens: Input should be greater than or equal to 1024']
      return budget < Number(maxTokens) ? [] : ['`max_tokens` must be greater than `thinking.budget_tokens`.']
    case 'adaptive':
      return WITHOUT_ADAPTIVE.test(model) ? ['adaptive thinking is not supported on this model'] : []
    case 'disabled':
      return ALWAYS_THINKS.test(model) ? ['"thinking.type.disabled" is not supported for this model.'] : []
    case 'between_tools':
      return []
    default:
      return ["thinking: Input tag found using 'type' does not match any of the expected tags"]
  }
}

function blockFaults({ type, thinking, signature }: Dict, path: string, model: string): string[] {
  if (type !== 'thinking') return []
  if (typeof signature !== 'string') return [`${path}.thinking.signature: Field required`]
  if (isBlank(textOf(thinking))) return [`${path}.thinking: each thinking block must contain thinking`]
  return signature === signatureOf(model, textOf(thinking))
    ? []
    : [`${path}: Invalid \`signature\` in \`thinking\` block`]
}

/** Since the user last spoke, each turn that began with thinking and used tools must still begin with that thinking. */
function loopFaults(joined: readonly Joined[], { thinking }: Dict, sent: Sent): string[] {
  const spoke = joined.findLastIndex(
    ({ role, blocks }) => role === 'user' && blocks.some(({ type }) => type === 'text'),
  )
  const hasBudget = isDict(thinking) && thinking['type'] === 'enabled'
  return joined.slice(spoke + 1).flatMap(({ role, at, blocks }) => {
    const calls = blocks.flatMap((block) => (block['type'] === 'tool_use' ? [textOf(block['name'])] : []))
    if (role !== 'assistant' || calls.length === 0) return []
    const first = blocks[0]
    const text = blocks.map((block) => (block['type'] === 'text' ? textOf(block['text']) : '')).join('')
    const thoughts = sent.reasonings(text, calls)
    const shown = first?.['type'] === 'thinking' ? textOf(first['thinking']) : ''
    if (thoughts.length === 0) return hasBudget && shown === '' ? [mustBegin(at, first)] : []
    if (thoughts.includes(shown)) return []
    if (shown === '' && hasBudget) return [mustBegin(at, first)]
    return [
      `messages.${at}.content.0: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be ` +
        'modified. These blocks must remain as they were in the original response.',
    ]
  })
}

const mustBegin = (at: number, first: Dict | undefined): string =>
  `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textOf(first?.['type'])}\`. ` +
  'When `thinking` is enabled, a final `assistant` message must start with a thinking block ' +
  '(preceeding the lastmost set of `tool_use` and `tool_result` blocks).'
