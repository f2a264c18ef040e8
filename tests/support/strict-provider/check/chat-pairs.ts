import type { Fault } from '../fault.ts'
import { dictsOf, isDict, isJsonObject, textOf, type Dict } from '../values.ts'
import { nameFaults, tooLong } from './openai.ts'

const LONGEST_ID = 40

/** Calls, each answered by exactly one tool message before anything else is said; and no other tool message. */
export function pairFaults(messages: readonly Dict[]): Fault[] {
  let owed: string[] = []
  let asked: readonly string[] = []
  let askedAt = 0
  const faults: Fault[] = []
  const settle = (): void => {
    if (owed.length === 0) return
    faults.push({
      message:
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${owed.join(', ')}`,
      param: `messages.[${askedAt}].role`,
    })
    owed = []
  }
  for (const [at, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      const id = textOf(message['tool_call_id'])
      const param = `messages.[${at}].role`
      if (owed.includes(id)) owed = owed.filter((one) => one !== id)
      else if (asked.includes(id))
        faults.push({ message: `Duplicate value for 'tool_call_id' of ${id} in message[${at}]`, param })
      else
        faults.push({
          message:
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          param,
        })
      continue
    }
    settle()
    asked = message['role'] === 'assistant' ? dictsOf(message['tool_calls']).map(({ id }) => textOf(id)) : []
    owed = [...new Set(asked)]
    askedAt = at
    faults.push(...callFaults(message, `messages[${at}]`))
    if (owed.length < asked.length)
      faults.push({ message: `Duplicate value for 'tool_call_id' of ${twice(asked)} in message[${at}]` })
  }
  settle()
  return faults
}

const twice = (ids: readonly string[]): string => ids.find((id, at) => ids.indexOf(id) !== at) ?? ''

function callFaults({ role, tool_calls: calls }: Dict, path: string): Fault[] {
  if (calls === undefined || calls === null) return []
  const param = `${path}.tool_calls`
  if (role !== 'assistant') return [{ message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' }]
  if (!Array.isArray(calls) || calls.length === 0)
    return [
      {
        message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
        param,
        code: 'empty_array',
      },
    ]
  return calls.flatMap((call: unknown, at) => {
    const place = `${param}[${at}]`
    if (!isDict(call) || call['type'] !== 'function' || !isDict(call['function']))
      return [
        { message: `Invalid value for '${place}.type'. Supported values are: 'function'.`, param: `${place}.type` },
      ]
    const { name, arguments: args } = call['function']
    return [
      ...idFaults(textOf(call['id']), `${place}.id`),
      ...nameFaults(name, `${place}.function.name`),
      ...(isJsonObject(args)
        ? []
        : [{ message: `Invalid '${place}.function.arguments': expected a JSON object as a string.`, param: place }]),
    ]
  })
}

function idFaults(id: string, param: string): Fault[] {
  if (id === '')
    return [{ message: `Missing required parameter: '${param}'.`, param, code: 'missing_required_parameter' }]
  return id.length > LONGEST_ID ? [tooLong(param, LONGEST_ID, id.length)] : []
}
