import { describe, expect, test } from 'vitest'
import { createSent } from '../sent.ts'
import type { Dict } from '../values.ts'
import { checkDeepSeek } from './deepseek.ts'

const tool = (name: string, more: Dict = {}): Dict => ({
  type: 'function',
  function: { name, description: 'looks', parameters: { type: 'object' }, ...more },
})
const user = (content: string): Dict => ({ role: 'user', content })
const says = (content: string, reasoning?: string): Dict => ({
  role: 'assistant',
  content,
  ...(reasoning !== undefined && { reasoning_content: reasoning }),
})
const calls = (content: string, reasoning?: string): Dict => ({
  ...says(content, reasoning),
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
})
const seen: Dict = { role: 'tool', tool_call_id: 'a', content: 'seen' }
const hello = user('hello')

const body = (more: Dict = {}): Dict => ({
  model: 'deepseek-v4-flash',
  stream: true,
  tools: [tool('look')],
  messages: [{ role: 'system', content: 'be kind' }, hello],
  ...more,
})
const talk = (...messages: Dict[]): Dict => body({ messages })
const older = (...messages: Dict[]): Dict => body({ messages, model: 'deepseek-reasoner' })

const sent = createSent()
Object.assign(sent.open(), { text: 'let me see', calls: ['look'], reasoning: 'a thought' })
const faultsOf = (request: Dict): string[] => checkDeepSeek(request, { sent }).map(({ message }) => message)

describe('DeepSeek takes', () => {
  test.each<[string, Dict]>([
    ['a question', body()],
    ['the reasoning it sent', talk(hello, calls('let me see', 'a thought'), seen)],
    ['that reasoning in later rounds', talk(hello, calls('let me see', 'a thought'), seen, says('there', ''), hello)],
    ['empty reasoning where another model spoke', talk(hello, calls('of another', ''), seen)],
    ['no reasoning when nobody should think', { ...talk(hello, says('hi'), hello), thinking: { type: 'disabled' } }],
    ['no reasoning in an older model', older(hello, says('hi'), hello)],
    ['reasoning of the running loop in an older model', older(hello, calls('so', 'hm'), seen)],
    ['messages in a row', talk(hello, hello)],
    ['a temperature, which it ignores', body({ temperature: 0.7 })],
    ['a schema without properties', body()],
  ])('%s', (_, request) => {
    expect(faultsOf(request)).toEqual([])
  })
})

describe('DeepSeek refuses', () => {
  test.each<[string, Dict, string]>([
    ['a field nobody knows', body({ top_k: 3 }), 'unknown field `top_k`'],
    ['no model', body({ model: '' }), 'Model Not Exist'],
    ['a developer', talk({ role: 'developer', content: 'x' }, hello), "Invalid value: 'developer'"],
    ['an assistant message last', talk(hello, says('hi', '')), 'must not be from the assistant'],
    ['a call nobody answers', talk(hello, calls('of another', ''), hello), 'did not have response messages: a'],
    ['an answer nobody asked for', talk(hello, seen), 'must be a response to a preceeding message'],
    ['a turn without its reasoning', talk(hello, says('hi'), hello), 'must be passed back to the API. (messages[1])'],
    ['a turn with calls and other reasoning', talk(hello, calls('let me see', 'a thou'), seen), 'must be passed back'],
    ['a turn with calls and empty reasoning', talk(hello, calls('let me see', ''), seen), 'must be passed back'],
    [
      'reasoning of the past in an older model',
      older(hello, says('hi', 'hm'), hello),
      'must not be in the input messages (messages[1])',
    ],
    ['messages in a row where turns are taken strictly', older(hello, hello), 'does not support successive user'],
    ['a tool choice without tools', body({ tools: undefined, tool_choice: 'auto' }), "'tool_choice' is only allowed"],
    [
      'a tool that a model has to call while it thinks',
      body({ tool_choice: 'required' }),
      'not support this tool_choice',
    ],
    [
      'a schema of the answer',
      body({ response_format: { type: 'json_schema' } }),
      'response_format type is unavailable',
    ],
    ['an empty list of tools', body({ tools: [] }), "[] is too short - 'tools'"],
    ['two tools of one name', body({ tools: [tool('look'), tool('look')] }), 'Tool names must be unique.'],
    ['a tool with a strange name', body({ tools: [tool('look up')] }), "Invalid 'tools[0].function.name'"],
    [
      'a schema that is no object',
      body({ tools: [tool('look', { parameters: { type: 'array' } })] }),
      'schema must be of type "object"',
    ],
    [
      'what is no schema',
      body({ tools: [tool('look', { parameters: { type: 'object', required: 'a' } })] }),
      '$.required is not valid',
    ],
  ])('%s', (_, request, sentence) => {
    expect(faultsOf(request)).toEqual([expect.stringContaining(sentence)])
  })
})
