import { dictsOf, isDict, textOf, type Dict } from '../../support/strict-provider/values.ts'
import type { ReadContents } from './contents.ts'

interface Open {
  readonly id: string
  readonly index: unknown
  name: string
  raw: string
}

/** A call of this format ends with the stream. */
export const readChat: ReadContents = (chunks) => {
  const calls: Open[] = []
  let text = ''
  let reasoning = ''
  let endsAt: number | undefined
  for (const [at, chunk] of chunks.entries()) {
    const choice = dictsOf(chunk['choices'])[0] ?? {}
    const delta = isDict(choice['delta']) ? choice['delta'] : {}
    text += textIn(delta['content'], 'text') + textOf(delta['refusal'])
    reasoning +=
      textIn(delta['content'], 'thinking') + (textOf(delta['reasoning_content']) || textOf(delta['reasoning']))
    for (const call of dictsOf(delta['tool_calls'])) take(call, calls)
    if (typeof choice['finish_reason'] === 'string') endsAt ??= at
  }
  const named = calls.filter(({ name }) => name.trim() !== '')
  return { text, reasoning, calls: named.map(({ name, raw }) => ({ name, raw, endedAt: endsAt })), seals: [], endsAt }
}

/** Pieces belong together by index, or where there is none by id; a new name at an index is a new call. */
function take(piece: Dict, calls: Open[]): void {
  const { index, function: of } = piece
  const id = textOf(piece['id'])
  const { name, arguments: args } = isDict(of) ? of : {}
  const before = calls.findLast((call) => (index === undefined ? id !== '' && call.id === id : call.index === index))
  const isOther = before && before.name !== '' && textOf(name) !== '' && (before.name !== name || before.id !== id)
  if (before && !isOther) {
    before.name ||= textOf(name)
    before.raw += textOf(args)
  } else calls.push({ id, index, name: textOf(name), raw: textOf(args) })
}

/** Some servers send the content in parts. */
function textIn(content: unknown, type: 'text' | 'thinking'): string {
  if (typeof content === 'string') return type === 'text' ? content : ''
  const parts = dictsOf(content).filter((part) => part['type'] === type)
  return parts.map((part) => textOf(part['text']) + textIn(part['thinking'], 'text')).join('')
}
