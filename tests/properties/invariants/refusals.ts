import type { Message } from '../../../src/contract/message.ts'
import { anthropicFault } from '../../support/acceptors/anthropic.ts'
import { openAiFault } from '../../support/acceptors/openai.ts'
import { toAnthropic } from '../../support/acceptors/to-anthropic.ts'
import { toOpenAi } from '../../support/acceptors/to-openai.ts'

/** What either provider would say against this list. */
export function refusals(messages: readonly Message[], what: string): string[] {
  const anthropic = anthropicFault(toAnthropic(messages))
  const openAi = openAiFault(toOpenAi(messages))
  return [
    ...(anthropic === undefined ? [] : [`${what}, refused by Anthropic: ${anthropic}`]),
    ...(openAi === undefined ? [] : [`${what}, refused by OpenAI: ${openAi}`]),
  ]
}

/** One more user message, as a fork or the next round would bring it. */
export function continued(messages: readonly Message[]): Message[] {
  const text = { type: 'text' as const, text: 'and now?' }
  const last = messages.at(-1)
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [text], eventIds: [] }]
  return [...messages.slice(0, -1), { ...last, content: [...last.content, text] }]
}
