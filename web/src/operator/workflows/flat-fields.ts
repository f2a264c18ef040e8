import { fieldsOf, readField, type Field } from '../../../../src/client/index.ts'
import type { Json } from '../../../../src/contract/message.ts'
import type { DataField } from '../form/data-field.ts'

const SIMPLE: readonly unknown[] = ['string', 'number', 'integer', 'boolean']
/** What else could be said about an object, and no field shows. */
const HARD = ['oneOf', 'anyOf', 'allOf', 'not', 'if', '$ref', 'patternProperties', 'propertyNames', 'dependentSchemas']

/** The fields of a schema that is an object of texts, numbers, truths and choices; undefined if it is anything else. */
export function flatFields(schema: Readonly<Record<string, unknown>>): readonly DataField[] | undefined {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, unknown>)
  const isFlat =
    properties.length > 0 &&
    !HARD.some((word) => word in schema) &&
    properties.every(([name, of]) => /^[\w-]+$/.test(name) && isSimple(of))
  return isFlat ? fieldsOf(schema as Json).map(dataField) : undefined
}

function isSimple(of: unknown): boolean {
  if (typeof of !== 'object' || of === null) return false
  const { type, enum: values } = of as { readonly type?: unknown; readonly enum?: unknown }
  if (HARD.some((word) => word in of)) return false
  return SIMPLE.includes(type) || (type === undefined && Array.isArray(values))
}

function dataField(field: Field): DataField {
  const { name: path, label, hint, kind, required: needed, choices, integer, minimum, maximum } = field
  const { value: otherwise } = readField(field, field.defaultText)
  const common = { path, label, needed, ...(hint && { help: hint }), ...(otherwise !== undefined && { otherwise }) }
  if (kind === 'number')
    return {
      ...common,
      kind,
      ...(minimum !== undefined && { min: minimum }),
      ...(maximum !== undefined && { max: maximum }),
      ...(!integer && { step: 'any' }),
    }
  if (kind !== 'choice' && kind !== 'boolean') return common
  const values =
    kind === 'choice'
      ? choices.map((one) => [one.value, one.label] as const)
      : ([
          [true, 'yes'],
          [false, 'no'],
        ] as const)
  return { ...common, kind: 'pick', options: [...(needed ? [] : [[undefined, 'not set'] as const]), ...values] }
}
