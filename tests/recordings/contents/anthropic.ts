import { dictsOf, isDict, textOf, type Dict } from '../../support/strict-provider/values.ts'
import type { ReadContents, SaidCall } from './contents.ts'

interface Block {
  readonly type: string
  readonly name: string
  text: string
  endedAt: number | undefined
}

export const readAnthropic: ReadContents = (chunks) => {
  const blocks: Block[] = []
  const seals: string[] = []
  const open = new Map<unknown, Block>()
  let endsAt: number | undefined
  for (const [at, chunk] of chunks.entries()) {
    switch (chunk['type']) {
      case 'message_start':
        if (blocks.length === 0) blocks.push(...whole(chunk, at))
        break
      case 'content_block_start': {
        const given = isDict(chunk['content_block']) ? chunk['content_block'] : {}
        const block = begun(given)
        if (block.type === 'redacted_thinking') seals.push(textOf(given['data']))
        open.set(chunk['index'], block)
        blocks.push(block)
        break
      }
      case 'content_block_delta': {
        const block = open.get(chunk['index'])
        if (!block || !isDict(chunk['delta'])) break
        block.text += said(chunk['delta'])
        if (typeof chunk['delta']['signature'] === 'string') seals.push(chunk['delta']['signature'])
        break
      }
      case 'content_block_stop': {
        const block = open.get(chunk['index'])
        if (block) block.endedAt = at
        break
      }
      case 'message_stop':
        endsAt ??= at
        break
      default:
        break
    }
  }
  const of = (type: string): Block[] => blocks.filter((block) => block.type === type)
  return {
    text: textsOf(of('text')),
    reasoning: textsOf(of('thinking')),
    calls: of('tool_use').map(callOf),
    seals,
    endsAt,
  }
}

const textsOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join('')

const callOf = ({ name, text, endedAt }: Block): SaidCall => ({ name, raw: text, endedAt })

/** Calls that are in the message from its beginning. */
function whole({ message }: Dict, at: number): Block[] {
  const content = isDict(message) ? dictsOf(message['content']) : []
  return content.map((block) => ({ ...begun(block), text: JSON.stringify(block['input'] ?? {}), endedAt: at }))
}

function begun({ type, name, input }: Dict): Block {
  const given = isDict(input) && Object.keys(input).length > 0
  return { type: textOf(type), name: textOf(name), text: given ? JSON.stringify(input) : '', endedAt: undefined }
}

const said = (delta: Dict): string => textOf(delta['text']) + textOf(delta['thinking']) + textOf(delta['partial_json'])
