import type { Json, JsonObject } from '../../../src/contract/message.ts'

/** A question's schema as a form: a flat list of simple fields. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly hint: string
  /** `many`: some of the choices; what is filled in is a JSON list */
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'many'
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly required: boolean
  readonly first: string
  readonly whole: boolean
}

export function fieldsOf(schema: Json | undefined): Field[] {
  const { properties, required } = asObject(schema)
  const needed = Array.isArray(required) ? required : []
  return Object.entries(asObject(properties)).map(([name, of]) => fieldOf(name, asObject(of), needed.includes(name)))
}

function fieldOf(name: string, of: JsonObject, required: boolean): Field {
  const choices = choicesOf(of['type'] === 'array' ? asObject(of['items']) : of)
  return {
    name,
    label: typeof of['title'] === 'string' ? of['title'] : name,
    hint: typeof of['description'] === 'string' ? of['description'] : '',
    kind: kindOf(of['type'], choices.length > 0),
    choices,
    required,
    first: wordOf(of['default']),
    whole: of['type'] === 'integer',
  }
}

function kindOf(type: Json | undefined, hasChoices: boolean): Field['kind'] {
  if (hasChoices) return type === 'array' ? 'many' : 'choice'
  if (type === 'boolean') return 'boolean'
  return type === 'number' || type === 'integer' ? 'number' : 'text'
}

/** Written as `enum`, with or without names for people, or as a list of constants with titles. */
function choicesOf(of: JsonObject): Field['choices'] {
  const titled = [...asList(of['oneOf']), ...asList(of['anyOf'])].map(asObject)
  const constants = titled.filter((one) => typeof one['const'] === 'string')
  if (constants.length > 0)
    return constants.map((one) => ({ value: wordOf(one['const']), label: wordOf(one['title'] ?? one['const']) }))
  const names = asList(of['enumNames']).map(wordOf)
  return asList(of['enum']).map((one, at) => ({ value: wordOf(one), label: names[at] ?? wordOf(one) }))
}

const wordOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/** What was filled in, or the first field that is not right and why. */
export function answerFrom(
  fields: readonly Field[],
  filled: ReadonlyMap<string, string>,
): { content: JsonObject } | { field: string; problem: string } {
  const content: Record<string, Json> = {}
  for (const { name, label, kind, required, whole } of fields) {
    const text = filled.get(name) ?? ''
    if (kind === 'boolean') content[name] = text === 'true'
    else if (kind === 'many') content[name] = chosenIn(text)
    else if (text.trim() === '') {
      if (required) return { field: name, problem: `${label} is needed.` }
    } else if (kind === 'number') {
      const number = Number(text)
      if (!Number.isFinite(number) || (whole && !Number.isInteger(number)))
        return { field: name, problem: `${label} must be a ${whole ? 'whole ' : ''}number.` }
      content[name] = number
    } else content[name] = text
  }
  return { content }
}

/** The choices in a list that was filled in; its first value is a stranger's and may be anything. */
export function chosenIn(text: string): string[] {
  try {
    return asList(JSON.parse(text) as Json).filter((one) => typeof one === 'string')
  } catch {
    return []
  }
}

const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])
const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
