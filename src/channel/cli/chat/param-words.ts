import { readFileSync } from 'node:fs'
import { EFFORTS, TOOL_CHOICES, type ModelParams } from '../../../contract/model-params.ts'
import { invalidField, Problem } from '../../../contract/problem.ts'
import { DEEPEST_JSON, nestsDeeper } from '../../../lib/nesting.ts'
import { parseObject } from '../../../lib/parse-object.ts'

/** How a person says how the model is to answer: by an option of `segno chat`, or by a command in it. */
export interface ParamWords {
  readonly field: keyof ModelParams
  readonly option: string
  readonly value: string
  readonly means: string
  read(text: string): unknown
}

const LIST = /\s*,\s*|\s+/

function readEffort(text: string): string {
  if (!EFFORTS.some((one) => one === text)) throw invalidField('effort', `must be one of ${EFFORTS.join(', ')}`)
  return text
}

function readTemperature(text: string): number {
  const value = /^\d(?:\.\d{1,9})?$/.test(text) ? Number(text) : Infinity
  if (value > 2) throw invalidField('temperature', 'must be a number from 0 to 2')
  return value
}

function readTokens(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidField('maxOutput', 'must be a whole number of tokens, such as 500')
  return Number(text)
}

export const PARAM_WORDS = {
  effort: {
    field: 'effort',
    option: 'effort',
    value: 'level',
    means: `how much it thinks: ${EFFORTS.join(', ')}`,
    read: readEffort,
  },
  temperature: {
    field: 'temperature',
    option: 'temperature',
    value: 'number',
    means: 'how much its words vary, from 0 to 2',
    read: readTemperature,
  },
  maxoutput: {
    field: 'maxOutput',
    option: 'max-output',
    value: 'tokens',
    means: 'how long one answer may be',
    read: readTokens,
  },
  tools: {
    field: 'tools',
    option: 'tools',
    value: 'names',
    means: 'only these tools, with commas between; none: no tool',
    read: (text) => (text === 'none' ? [] : text.split(LIST)),
  },
  toolchoice: {
    field: 'toolChoice',
    option: 'tool-choice',
    value: 'word',
    means: `${TOOL_CHOICES.join(', ')}, or the tool it has to call first`,
    read: (text) => (TOOL_CHOICES.includes(text as never) ? text : { tool: text }),
  },
  schema: {
    field: 'output',
    option: 'schema',
    value: 'file',
    means: 'a file with the JSON schema that the answer has to fit',
    read: (file) => ({ schema: readSchema(file) }),
  },
} as const satisfies Record<string, ParamWords>

/** What the options of `segno chat` say about its answers. */
export interface AnswerOptions extends ModelParams {
  readonly model?: string
}

export type ParamCommand = keyof typeof PARAM_WORDS

/** The model and the parameters among the options; whether they are possible is for the server to say. */
export function answerOptions(flags: Readonly<Record<string, unknown>>): AnswerOptions {
  const given = Object.values<ParamWords>(PARAM_WORDS).flatMap(({ field, option, read }) => {
    const text = flags[option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]
    return typeof text === 'string' ? [[field, read(text.trim())] as const] : []
  })
  const { model } = flags
  return { ...Object.fromEntries(given), ...(typeof model === 'string' && { model }) }
}

/** A parameter as a person would type it. */
export function paramText(value: ModelParams[keyof ModelParams]): string {
  if (value === undefined) return 'as usual'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value !== 'object') return String(value)
  return 'tool' in value ? value.tool : JSON.stringify(value)
}

function readSchema(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Problem('VALIDATION_ERROR', `The schema ${file} cannot be read.`, { cause })
  }
  if (nestsDeeper(text))
    throw new Problem('VALIDATION_ERROR', `The schema ${file} is nested more than ${DEEPEST_JSON} levels deep.`)
  const schema = parseObject(text)
  if (!schema) throw new Problem('VALIDATION_ERROR', `${file} is no JSON schema: expected a JSON object.`)
  return schema
}
