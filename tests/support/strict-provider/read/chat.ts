import { dictsOf, textOf, type Dict } from '../values.ts'
import { assistant, results, system, user, type Read } from './request.ts'

export const readChat: Read = (body) =>
  dictsOf(body['messages']).map((message) => {
    const texts = textsOf(message)
    if (message['role'] === 'user') return user(...texts)
    if (message['role'] === 'tool') return results(...texts)
    if (message['role'] === 'assistant') return assistant(...texts, ...dictsOf(message['tool_calls']).map(argsOf))
    return system(texts.join(''))
  })

function textsOf({ content }: Dict): string[] {
  if (typeof content === 'string') return [content]
  return dictsOf(content).flatMap((part) => (part['type'] === 'text' ? [textOf(part['text'])] : []))
}

const argsOf = (call: Dict): string => dictsOf([call['function']]).map((one) => textOf(one['arguments']))[0] ?? ''
