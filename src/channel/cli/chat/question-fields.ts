import { isObject } from '../../../lib/is.ts'
import type { Json, JsonObject } from '../../../contract/message.ts'

/** One thing that a running call wants to be told. */
export interface Field {
  readonly name: string
  readonly title: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean'
  /** what can be typed, and what it stands for */
  readonly choices: ReadonlyMap<string, Json>
  readonly isRequired: boolean
  readonly standard?: Json
}

/** The fields of a schema, as far as a person can be asked for them in a line of text. */
export function fieldsOf(schema: JsonObject | undefined): Field[] {
  const properties = object(schema?.['properties'])
  const required = Array.isArray(schema?.['required']) ? (schema['required'] as readonly Json[]) : []
  return Object.entries(properties).map(([name, about]) => {
    const { type, title, description, enum: listed, default: standard } = object(about)
    const words = [title, description].filter((one): one is string => typeof one === 'string' && one !== '')
    return {
      name,
      title: words.join(': ') || name,
      type: type === 'number' || type === 'integer' || type === 'boolean' ? type : 'string',
      choices: new Map(Array.isArray(listed) ? listed.map((one: Json) => [textFor(one), one] as const) : []),
      isRequired: required.includes(name),
      ...(standard !== undefined && { standard }),
    }
  })
}

/** What is expected, in a few words. */
export function expectation({ type, choices, isRequired, standard }: Field): string {
  const kind = choices.size > 0 ? [...choices.keys()].join(', ') : KINDS[type]
  const without =
    standard !== undefined ? `, Enter for ${JSON.stringify(standard)}` : isRequired ? '' : ', Enter for none'
  return `${kind}${without}`
}

const KINDS = { string: 'text', number: 'a number', integer: 'a whole number', boolean: 'yes or no' } as const

/** What was typed for a field, or what is wrong with it. */
export function readField(field: Field, typed: string): { readonly value?: Json; readonly fault?: string } {
  const text = typed.trim()
  const { type, choices, isRequired, standard } = field
  if (text === '') {
    if (standard !== undefined) return { value: standard }
    return isRequired ? { fault: `Please give ${expectation(field)}.` } : {}
  }
  if (choices.size > 0) {
    const value = choices.get(text)
    return value === undefined ? { fault: `Please give one of: ${[...choices.keys()].join(', ')}.` } : { value }
  }
  if (type === 'boolean') {
    if (/^(y|yes|true)$/i.test(text)) return { value: true }
    return /^(n|no|false)$/i.test(text) ? { value: false } : { fault: 'Please say yes or no.' }
  }
  if (type === 'string') return { value: typed }
  const number = Number(text)
  const fits = type === 'integer' ? Number.isInteger(number) : Number.isFinite(number)
  return fits ? { value: number } : { fault: `Please give ${KINDS[type]}.` }
}

const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

const textFor = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
