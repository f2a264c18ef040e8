import { isBase64, isBlank, isDict, textOf, type Dict } from '../values.ts'

const ID = /^[a-zA-Z0-9_-]+$/
const NAME = /^[a-zA-Z0-9_-]{1,128}$/
const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations', 'cache_control'],
  image: ['source', 'cache_control'],
  document: ['source', 'title', 'context', 'citations', 'cache_control'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
  tool_use: ['id', 'name', 'input', 'cache_control', 'caller'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
}

/** Of a text block anywhere: a text must have something to read. */
export function textFault({ text }: Dict): string | undefined {
  if (typeof text !== 'string') return 'text: Field required'
  if (text === '') return 'text content blocks must be non-empty'
  return isBlank(text) ? 'text content blocks must contain non-whitespace text' : undefined
}

export function userBlockFaults(block: Dict, path: string): string[] {
  const { type } = block
  if (type === 'tool_use') return [`${path}: \`tool_use\` blocks can only be in \`assistant\` messages`]
  if (type === 'thinking' || type === 'redacted_thinking')
    return [`${path}: \`thinking\` blocks can only be in \`assistant\` messages`]
  return [...fieldFaults(block, path), ...(type === 'tool_result' ? resultFaults(block, path) : given(block, path))]
}

export function assistantBlockFaults(block: Dict, path: string): string[] {
  const { type } = block
  if (type === 'tool_result') return [`${path}: \`tool_result\` blocks can only be in \`user\` messages`]
  if (type === 'image' || type === 'document')
    return [`${path}: \`${type}\` blocks are not permitted in \`assistant\` messages`]
  const faults = type === 'tool_use' ? useFaults(block, path) : type === 'text' ? given(block, path) : []
  return [...fieldFaults(block, path), ...faults]
}

function fieldFaults(block: Dict, path: string): string[] {
  const type = textOf(block['type'])
  const allowed = FIELDS[type]
  if (!allowed) return [`${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`]
  return Object.keys(block).flatMap((field) =>
    field === 'type' || allowed.includes(field) ? [] : [`${path}.${type}.${field}: Extra inputs are not permitted`],
  )
}

/** Texts, images and documents, in a message or in a result. */
function given(block: Dict, path: string): string[] {
  if (block['type'] === 'text') {
    const fault = textFault(block)
    return fault === undefined ? [] : [`messages: ${fault}`]
  }
  return block['type'] === 'image' || block['type'] === 'document' ? sourceFaults(block, path) : []
}

function sourceFaults({ type, source }: Dict, path: string): string[] {
  if (!isDict(source)) return [`${path}.${textOf(type)}.source: Field required`]
  const at = `${path}.${textOf(type)}.source.base64`
  if (source['type'] !== 'base64') return []
  const types = type === 'image' ? IMAGES : ['application/pdf']
  return [
    ...(types.includes(textOf(source['media_type']))
      ? []
      : [`${at}.media_type: Input should be ${types.map((one) => `'${one}'`).join(', ')}`]),
    ...(isBase64(source['data']) ? [] : [`${at}: invalid base64 data`]),
  ]
}

function useFaults({ id, name, input }: Dict, path: string): string[] {
  return [
    ...(ID.test(textOf(id)) ? [] : [`${path}.tool_use.id: String should match pattern '${ID.source}'`]),
    ...(NAME.test(textOf(name)) ? [] : [`${path}.tool_use.name: String should match pattern '${NAME.source}'`]),
    ...(isDict(input) ? [] : [`${path}.tool_use.input: Input should be a valid dictionary`]),
  ]
}

function resultFaults({ tool_use_id: id, content, is_error: isError }: Dict, path: string): string[] {
  const isEmpty = content === undefined || ((typeof content === 'string' || Array.isArray(content)) && !content.length)
  const parts = Array.isArray(content) ? content : []
  return [
    ...(textOf(id) === '' ? [`${path}.tool_result.tool_use_id: Field required`] : []),
    ...(isEmpty && isError === true ? [`${path}.tool_result: content cannot be empty if \`is_error\` is true`] : []),
    ...(content === undefined || typeof content === 'string' || Array.isArray(content)
      ? []
      : [`${path}.tool_result.content: Input should be a valid string or list`]),
    ...parts.flatMap((part: unknown, at) => {
      const place = `${path}.tool_result.content.${at}`
      if (!isDict(part) || !['text', 'image', 'document'].includes(textOf(part['type'])))
        return [`${place}: Input tag does not match any of the expected tags`]
      return [...fieldFaults(part, place), ...given(part, place)]
    }),
  ]
}
