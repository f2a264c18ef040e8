import type { Fault } from '../fault.ts'
import { isBlank, isDict, isJsonObject, textOf, type Dict } from '../values.ts'
import { imageFaults } from './chat-content.ts'
import { nameFaults, tooLong } from './openai.ts'

const LONGEST_CALL_ID = 64
const ROLES = ['user', 'assistant', 'system', 'developer']
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  message: ['type', 'role', 'content', 'id', 'status', 'phase'],
  function_call: ['type', 'id', 'call_id', 'name', 'arguments', 'status', 'namespace', 'caller'],
  function_call_output: ['type', 'id', 'call_id', 'output', 'status'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'],
}

/** Of one item of the input, by itself. */
export function itemFaults(item: Dict, path: string): Fault[] {
  const type = typeOf(item)
  if (type === 'item_reference')
    return [
      {
        message:
          `Item with id '${textOf(item['id'])}' not found. Items are not persisted when \`store\` is set to false. ` +
          'Try again with `store` set to true, or remove this item from your input.',
        param: 'input',
      },
    ]
  const allowed = FIELDS[type]
  if (!allowed) return [{ message: `Invalid value: '${type}'.`, param: path, code: 'invalid_value' }]
  return [
    ...Object.keys(item).flatMap((field): Fault[] => {
      const param = `${path}.${field}`
      return allowed.includes(field)
        ? []
        : [{ message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' }]
    }),
    ...(type === 'message' ? messageFaults(item, path) : []),
    ...(type === 'function_call' ? callFaults(item, path) : []),
    ...(type === 'function_call_output' ? outputFaults(item, path) : []),
  ]
}

export const typeOf = ({ type, role }: Dict): string => textOf(type) || (role === undefined ? '' : 'message')

function messageFaults({ role, content }: Dict, path: string): Fault[] {
  const param = `${path}.content`
  if (!ROLES.includes(textOf(role)))
    return [{ message: `Invalid value: '${textOf(role)}'.`, param: `${path}.role`, code: 'invalid_value' }]
  if (typeof content === 'string')
    return isBlank(content) ? [{ message: `Invalid '${param}': it must not be empty.`, param }] : []
  if (!Array.isArray(content) || content.length === 0)
    return [{ message: `Invalid '${param}': empty array.`, param, code: 'empty_array' }]
  const types = role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file']
  return content.flatMap((part: unknown, at) => partFaults(part, types, `${param}[${at}]`))
}

function partFaults(part: unknown, types: readonly string[], param: string): Fault[] {
  const type = isDict(part) ? textOf(part['type']) : ''
  if (!isDict(part) || !types.includes(type)) {
    const supported = types.map((one) => `'${one}'`).join(', ')
    return [{ message: `Invalid value: '${type}'. Supported values are: ${supported}.`, param, code: 'invalid_value' }]
  }
  if (type === 'input_text' || type === 'output_text')
    return isBlank(textOf(part['text'])) ? [{ message: `Invalid '${param}.text': it must not be empty.`, param }] : []
  return type === 'input_image' ? imageFaults(part['image_url'], `${param}.image_url`) : []
}

function callIdFaults({ call_id: callId }: Dict, path: string): Fault[] {
  const param = `${path}.call_id`
  const length = textOf(callId).length
  if (length === 0)
    return [{ message: `Missing required parameter: '${param}'.`, param, code: 'missing_required_parameter' }]
  return length > LONGEST_CALL_ID ? [tooLong(param, LONGEST_CALL_ID, length)] : []
}

function callFaults(item: Dict, path: string): Fault[] {
  return [
    ...callIdFaults(item, path),
    ...nameFaults(item['name'], `${path}.name`),
    ...(isJsonObject(item['arguments'])
      ? []
      : [{ message: `Invalid '${path}.arguments': expected a JSON object as a string.`, param: `${path}.arguments` }]),
  ]
}

function outputFaults(item: Dict, path: string): Fault[] {
  const { output } = item
  const param = `${path}.output`
  if (typeof output !== 'string' && !Array.isArray(output))
    return [...callIdFaults(item, path), { message: `Missing required parameter: '${param}'.`, param }]
  const types = ['input_text', 'input_image', 'input_file']
  const parts = Array.isArray(output) ? output : []
  return [
    ...callIdFaults(item, path),
    ...parts.flatMap((part: unknown, at) => partFaults(part, types, `${param}[${at}]`)),
  ]
}
