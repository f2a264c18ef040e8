import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { typeOf } from '../check/responses-items.ts'
import { dictsOf, textOf, type Dict } from '../values.ts'
import { assistant, results, system, user, type Read } from './request.ts'

/** The items of one turn count as one message of the assistant. */
export const readResponses: Read = (body) => {
  const prompt: LanguageModelV4Prompt = []
  let inTurn = false
  for (const item of dictsOf(body['input'])) {
    const type = typeOf(item)
    const isSpoken = type === 'reasoning' || type === 'function_call' || item['role'] === 'assistant'
    if (isSpoken && !inTurn) prompt.push(assistant())
    inTurn = isSpoken
    if (type === 'function_call_output') prompt.push(results(JSON.stringify(item['output'])))
    else if (item['role'] === 'user') prompt.push(user(...textsOf(item)))
    else if (item['role'] === 'system' || item['role'] === 'developer') prompt.push(system(textsOf(item).join('')))
  }
  return prompt
}

function textsOf({ content }: Dict): string[] {
  if (typeof content === 'string') return [content]
  return dictsOf(content).flatMap((part) => (part['type'] === 'input_text' ? [textOf(part['text'])] : []))
}
