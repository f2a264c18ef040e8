import { withFiles, type ToolFile, type ToolOutput } from '../../contract/tool.ts'
import { isObject, type UnknownRecord } from '../../lib/type-guards.ts'
import { Refused } from './trouble.ts'

/** The text and files of a result, for the model; throws if the server reports an error. */
export function readResult(result: unknown): ToolOutput {
  if (!isObject(result)) throw new Refused('The server sent an answer that is none.')
  const content = Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const pieces = content.map(readBlock)
  const text = pieces.flatMap((piece) => (piece.text === undefined ? [] : [piece.text])).join('\n')
  const files = pieces.flatMap(({ file }) => (file === undefined ? [] : [file]))
  if (result['isError'] === true) throw new Refused(text || 'The server says that the call failed, and not why.')
  const structured = result['structuredContent']
  const output = text === '' && structured !== undefined ? JSON.stringify(structured) : text
  return files.length === 0 ? output : withFiles(output, files)
}

interface Piece {
  readonly text?: string
  readonly file?: ToolFile
}

function readBlock(block: unknown): Piece {
  if (!isObject(block)) return {}
  const { type } = block
  if (type === 'text') return { text: word(block['text']) }
  if (type === 'image' || type === 'audio') return { file: file(block['data'], block['mimeType']) }
  if (type === 'resource' && isObject(block['resource'])) return readResource(block['resource'])
  if (type === 'resource_link') return { text: link(block) }
  return { text: '[content of a kind that is not known here]' }
}

function readResource(resource: UnknownRecord): Piece {
  const { uri, text, blob, mimeType } = resource
  if (typeof blob === 'string') return { text: `[resource ${word(uri)}]`, file: file(blob, mimeType, word(uri)) }
  return { text: `[resource ${word(uri)}]\n${word(text)}` }
}

function link(block: UnknownRecord): string {
  const about = [word(block['name']), word(block['mimeType']), word(block['description'])].filter((one) => one !== '')
  return `[resource ${word(block['uri'])}${about.length > 0 ? `: ${about.join(', ')}` : ''}]`
}

function file(data: unknown, mediaType: unknown, uri?: string): ToolFile {
  const name = uri?.split(/[/\\]/).at(-1)
  return {
    mediaType: word(mediaType) || 'application/octet-stream',
    data: Buffer.from(word(data), 'base64'),
    ...(name && { name }),
  }
}

const word = (value: unknown): string => (typeof value === 'string' ? value : '')
