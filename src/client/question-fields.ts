import type { Json, JsonObject } from '../contract/message.ts'
import { isObject } from '../lib/type-guards.ts'

/** A field of a question from a running call. It is filled in as text. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly hint: string
  /** filled in as `true` or `false` for `boolean`, and as a JSON list of texts for `many` */
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'many'
  readonly choices: readonly Choice[]
  readonly required: boolean
  readonly defaultText: string
  readonly integer: boolean
  /** of a text, such as `email` */
  readonly format?: string
  /** of a number, the length of a text, or the number of choices */
  readonly minimum?: number
  readonly maximum?: number
}

export interface Choice {
  readonly text: string
  readonly label: string
  readonly value: Json
}

/** The schema is foreign: it may be anything. */
export function fieldsOf(schema: Json | undefined): Field[] {
  const { properties, required } = asObject(schema)
  return Object.entries(asObject(properties)).map(([name, of]) =>
    fieldOf(name, asObject(of), asList(required).includes(name)),
  )
}

function fieldOf(name: string, of: JsonObject, required: boolean): Field {
  const { type, title, description } = of
  const choices = choicesOf(type === 'array' ? asObject(of['items']) : of)
  const kind = kindOf(type, choices.length > 0)
  const [minimum, maximum] = LIMITS[kind].map((limit) => of[limit])
  const format = kind === 'text' && FORMATS.find(([known]) => known === of['format'])
  return {
    name,
    label: typeof title === 'string' && title !== '' ? title : name,
    hint: typeof description === 'string' ? description : '',
    kind,
    choices,
    required,
    defaultText: defaultTextOf(kind, choices, of['default']),
    integer: type === 'integer',
    ...(format && { format: format[1] }),
    ...(typeof minimum === 'number' && { minimum }),
    ...(typeof maximum === 'number' && { maximum }),
  }
}

/** Those of MCP, no stricter than the server is. */
const FORMATS: readonly (readonly [format: string, words: string, pattern: RegExp])[] = [
  ['email', 'a mail address', /^[^\s@]+@[^\s@]+$/],
  ['uri', 'an address such as https://example.org', /^[a-z][\w+.-]*:\S+$/i],
  ['date', 'a date such as 2026-11-30', /^\d{4}-\d\d-\d\d$/],
  ['date-time', 'a time such as 2026-11-30T12:00:00Z', /^\d{4}-\d\d-\d\dT\S+$/],
]

const LIMITS: Readonly<Record<Field['kind'], readonly string[]>> = {
  text: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  boolean: [],
  choice: [],
  many: ['minItems', 'maxItems'],
}

function kindOf(type: Json | undefined, hasChoices: boolean): Field['kind'] {
  if (hasChoices) return type === 'array' ? 'many' : 'choice'
  if (type === 'boolean') return 'boolean'
  return type === 'number' || type === 'integer' ? 'number' : 'text'
}

/** From `enum`, perhaps with `enumNames`, or from constants with titles. */
function choicesOf(of: JsonObject): Choice[] {
  const constants = [...asList(of['oneOf']), ...asList(of['anyOf'])].map(asObject).filter((one) => 'const' in one)
  const names = constants.length > 0 ? constants.map(({ title }) => title) : asList(of['enumNames'])
  const values = constants.length > 0 ? constants.map((one) => one['const'] ?? null) : asList(of['enum'])
  return values.map((value, at) => ({ value, text: wordOf(value), label: wordOf(names[at]) || wordOf(value) }))
}

function defaultTextOf(kind: Field['kind'], choices: readonly Choice[], standard: Json | undefined): string {
  const isKnown = (word: string): boolean => choices.some(({ text }) => text === word)
  if (kind === 'many') return JSON.stringify(asList(standard).map(wordOf).filter(isKnown))
  return kind === 'choice' && !isKnown(wordOf(standard)) ? '' : wordOf(standard)
}

/** Neither value nor problem if an optional field is empty. */
export function readField(field: Field, text: string): { readonly value?: Json; readonly problem?: string } {
  const { label, kind, choices, required, integer, format } = field
  if (kind === 'many') return readMany(field, new Set(selectedIn(text)))
  if (text.trim() === '') return required ? { problem: `${label} is needed.` } : {}
  switch (kind) {
    case 'boolean':
      if (text === 'true' || text === 'false') return { value: text === 'true' }
      return { problem: `${label} must be yes or no.` }
    case 'choice': {
      const chosen = choices.find((one) => one.text === text)
      return chosen ? { value: chosen.value } : { problem: `${label} must be one of: ${labelsOf(choices)}.` }
    }
    case 'number': {
      const value = Number(text)
      const fits = integer ? Number.isInteger(value) : Number.isFinite(value)
      return fits ? within(field, value, value) : { problem: `${label} must be a ${integer ? 'whole ' : ''}number.` }
    }
    case 'text':
      if (FORMATS.some(([, words, pattern]) => words === format && !pattern.test(text)))
        return { problem: `${label} must be ${format}.` }
      return within(field, text, Array.from(text).length)
  }
}

function readMany(field: Field, texts: ReadonlySet<string>): { readonly value?: Json; readonly problem?: string } {
  const { label, choices, required, minimum = 0 } = field
  const chosen = choices.filter(({ text }) => texts.has(text))
  if (chosen.length < texts.size) return { problem: `${label} must be some of: ${labelsOf(choices)}.` }
  if (chosen.length === 0 && !required && minimum > 0) return {}
  return within(
    field,
    chosen.map(({ value }) => value),
    chosen.length,
  )
}

function within({ label, kind, minimum = -Infinity, maximum = Infinity }: Field, value: Json, size: number) {
  if (size >= minimum && size <= maximum) return { value }
  const [limit, words] = size < minimum ? [minimum, `at least ${minimum}`] : [maximum, `at most ${maximum}`]
  if (kind === 'number') return { problem: `${label} must be ${words}.` }
  const unit = kind === 'text' ? 'character' : 'choice'
  return { problem: `${label} must have ${words} ${unit}${limit === 1 ? '' : 's'}.` }
}

/** The content of a form, or its first problem. An empty boolean is false. */
export function readForm(
  fields: readonly Field[],
  filled: ReadonlyMap<string, string>,
): { content: JsonObject } | { field: string; problem: string } {
  const content: Record<string, Json> = {}
  for (const field of fields) {
    const text = filled.get(field.name) ?? ''
    const { value, problem } = readField(field, field.kind === 'boolean' ? String(text === 'true') : text)
    if (problem !== undefined) return { field: field.name, problem }
    if (value !== undefined) content[field.name] = value
  }
  return { content }
}

export function selectedIn(text: string): string[] {
  try {
    return asList(JSON.parse(text) as Json).filter((one) => typeof one === 'string')
  } catch {
    return []
  }
}

const labelsOf = (choices: readonly Choice[]): string => choices.map(({ label }) => label).join(', ')
const wordOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])
const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
