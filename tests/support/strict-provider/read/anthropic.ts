import { blocksOf } from '../check/anthropic-messages.ts'
import { dictsOf, textOf, type Dict } from '../values.ts'
import { assistant, results, system, user, type Read } from './request.ts'

export const readAnthropic: Read = (body) => [
  ...dictsOf(body['system']).map((block) => system(textOf(block['text']))),
  ...dictsOf(body['messages']).flatMap((message) => {
    const blocks = blocksOf(message)
    const texts = blocks.flatMap((block) => (block['type'] === 'text' ? [textOf(block['text'])] : []))
    if (message['role'] === 'system') return texts.map(system)
    if (message['role'] === 'assistant') return [assistant(...texts, ...blocks.flatMap(argsOf))]
    const said = blocks.flatMap((block) => (block['type'] === 'tool_result' ? [JSON.stringify(block['content'])] : []))
    return [...(said.length > 0 ? [results(...said)] : []), ...(texts.length > 0 ? [user(...texts)] : [])]
  }),
]

const argsOf = (block: Dict): string[] => (block['type'] === 'tool_use' ? [JSON.stringify(block['input'])] : [])
