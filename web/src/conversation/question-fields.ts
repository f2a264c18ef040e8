import type { Json, JsonObject } from '../../../src/contract/message.ts'

/** A question's schema as a form: a flat list of simple fields. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly kind: 'text' | 'number' | 'boolean' | 'choice'
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
  const values = Array.isArray(of['enum']) ? (of['enum'] as readonly Json[]).map(wordOf) : []
  const names = Array.isArray(of['enumNames']) ? (of['enumNames'] as readonly Json[]).map(wordOf) : values
  const type = of['type']
  return {
    name,
    label: typeof of['title'] === 'string' ? of['title'] : name,
    hint: typeof of['description'] === 'string' ? of['description'] : '',
    kind:
      values.length > 0
        ? 'choice'
        : type === 'boolean'
          ? 'boolean'
          : type === 'number' || type === 'integer'
            ? 'number'
            : 'text',
    choices: values.map((value, at) => ({ value, label: names[at] ?? value })),
    required,
    first: wordOf(of['default']),
    whole: type === 'integer',
  }
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

const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
