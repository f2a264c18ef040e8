import { dictsOf, isDict, textOf, type Dict } from '../../support/strict-provider/values.ts'
import type { ReadContents } from './contents.ts'

interface Open {
  readonly id: string
  readonly index: unknown
  name: string
  raw: string
  endedAt?: number
}

/** A call of this format ends with the stream, or when it is whole and anything else follows. */
export const readChat: ReadContents = (chunks) => {
  const calls: Open[] = []
  let text = ''
  let reasoning = ''
  let endsAt: number | undefined
  const seals: string[] = []
  for (const [at, chunk] of chunks.entries()) {
    const choice = dictsOf(chunk['choices'])[0] ?? {}
    const delta = isDict(choice['delta']) ? choice['delta'] : {}
    const said = textIn(delta['content'], 'text') + textOf(delta['refusal'])
    const thought =
      textIn(delta['content'], 'thinking') + (textOf(delta['reasoning_content']) || textOf(delta['reasoning']))
    text += said
    reasoning += thought
    seals.push(...dictsOf(delta['reasoning_details']).flatMap(sealOf))
    if (said + thought !== '') end(calls, at)
    for (const piece of dictsOf(delta['tool_calls'])) {
      const call = take(piece, calls)
      end(
        calls.filter((other) => other !== call),
        at,
      )
    }
    if (typeof choice['finish_reason'] === 'string') endsAt ??= at
  }
  const named = calls.filter(({ name }) => name.trim() !== '')
  const ended = named.map(({ name, raw, endedAt = endsAt }) => ({ name, raw, endedAt }))
  return { text, reasoning, calls: ended, seals, endsAt }
}

/** A signature, or an encrypted thought. */
const sealOf = ({ signature, data }: Dict): string[] => [signature, data].filter((one) => typeof one === 'string')

/** Ends the calls that are whole. */
function end(calls: readonly Open[], at: number): void {
  for (const call of calls) if (isDict(parsed(call.raw))) call.endedAt ??= at
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** Pieces belong together by index, or where there is none by id; a new name at an index is a new call. */
function take(piece: Dict, calls: Open[]): Open {
  const { index, function: of } = piece
  const id = textOf(piece['id'])
  const { name, arguments: args } = isDict(of) ? of : {}
  const before = calls.findLast((call) => (index === undefined ? id !== '' && call.id === id : call.index === index))
  const isOther = before && before.name !== '' && textOf(name) !== '' && (before.name !== name || before.id !== id)
  if (before && !isOther) {
    before.name ||= textOf(name)
    before.raw += textOf(args)
    return before
  }
  const call = { id, index, name: textOf(name), raw: textOf(args) }
  calls.push(call)
  return call
}

/** Some servers send the content in parts. */
function textIn(content: unknown, type: 'text' | 'thinking'): string {
  if (typeof content === 'string') return type === 'text' ? content : ''
  const parts = dictsOf(content).filter((part) => part['type'] === type)
  return parts.map((part) => textOf(part['text']) + textIn(part['thinking'], 'text')).join('')
}
