import type { Fault } from '../fault.ts'
import { isBase64, isBlank, isDict, textOf, type Dict } from '../values.ts'

const PARTS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
}
const DATA_URL = /^data:([^;,]+);base64,(.*)$/s
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Of what a message says, its calls aside. */
export function contentFaults(message: Dict, path: string): Fault[] {
  const { role, content } = message
  const param = `${path}.content`
  if (content === null || content === undefined) {
    if (role === 'assistant' && Array.isArray(message['tool_calls'])) return []
    return [{ message: "Invalid value for 'content': expected a string, got null.", param }]
  }
  if (typeof content === 'string') {
    const mayBeEmpty = role === 'tool' || (role === 'assistant' && Array.isArray(message['tool_calls']))
    return isBlank(content) && !mayBeEmpty ? [{ message: `Invalid '${param}': it must not be empty.`, param }] : []
  }
  if (!Array.isArray(content)) return [{ message: `Invalid type for '${param}'.`, param, code: 'invalid_type' }]
  if (content.length === 0)
    return [
      {
        message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
        param,
        code: 'empty_array',
      },
    ]
  return content.flatMap((part: unknown, at) => partFaults(part, textOf(role), `${param}[${at}]`))
}

function partFaults(part: unknown, role: string, param: string): Fault[] {
  const types = PARTS[role] ?? ['text']
  if (!isDict(part) || !types.includes(textOf(part['type']))) {
    const type = isDict(part) ? textOf(part['type']) : typeof part
    const message = `Invalid value: '${type}'. Supported values are: ${types.map((one) => `'${one}'`).join(', ')}.`
    return [{ message, param, code: 'invalid_value' }]
  }
  if (part['type'] === 'text' && isBlank(textOf(part['text'])))
    return [{ message: `Invalid '${param}.text': it must not be empty.`, param }]
  const { image_url: image } = part
  return part['type'] === 'image_url' ? imageFaults(isDict(image) ? image['url'] : undefined, `${param}.image_url`) : []
}

/** A picture is named by a URL, or comes along as base64 of a known type. */
export function imageFaults(url: unknown, param: string): Fault[] {
  const text = textOf(url)
  if (/^https?:\/\//.test(text)) return []
  const [, type = '', data] = DATA_URL.exec(text) ?? []
  if (!isBase64(data)) return [{ message: `Invalid '${param}'. Expected a base64-encoded data URL.`, param }]
  if (IMAGES.includes(type)) return []
  const message =
    'You uploaded an unsupported image. Please make sure your image has of one the following formats: ' +
    "['png', 'jpeg', 'gif', 'webp']."
  return [{ message, param, code: 'invalid_image_format' }]
}
