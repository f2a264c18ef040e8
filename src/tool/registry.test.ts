import { expect, test } from 'vitest'
import { z } from 'zod'
import { verifies } from '../../tests/support/verifies.ts'
import type { JsonObject } from '../contract/message.ts'
import type { Tool } from '../contract/tool.ts'
import { createRegistry } from './registry.ts'

function tool(more: Partial<Tool> = {}): Tool {
  return { name: 'echo', description: 'says it again', input: { type: 'object' }, run: () => 'done', ...more }
}

async function registered(input: Tool['input'], more: Partial<Tool> = {}) {
  const found = (await createRegistry([tool({ input, ...more })])).get('echo')
  if (found === undefined) throw new Error('not registered')
  return found
}

async function refusal(input: Tool['input'], args: JsonObject): Promise<string> {
  const validation = await (await registered(input)).validate(args)
  return validation.ok ? 'accepted' : validation.message
}

const count = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 1, maximum: 5 } },
  required: ['n'],
} as const

verifies('ORC-3', 'shows the model JSON Schema made from the Zod schema that also checks the arguments', async () => {
  const schema = z.strictObject({ city: z.string().min(1), unit: z.enum(['C', 'F']).default('C') })
  const weather = await registered(schema)
  expect(weather.jsonSchema).toEqual({
    type: 'object',
    properties: { city: { type: 'string', minLength: 1 }, unit: { type: 'string', enum: ['C', 'F'], default: 'C' } },
    required: ['city'],
    additionalProperties: false,
  })
  expect(await weather.validate({ city: 'Kigali' })).toEqual({ ok: true, args: { city: 'Kigali', unit: 'C' } })
  expect(await weather.validate({ city: 'Kigali', unit: 'K' })).toMatchObject({ ok: false })
})

verifies(
  'ORC-3',
  'checks arguments against the JSON Schema the model was shown and fills in its defaults',
  async () => {
    const input = {
      type: 'object',
      properties: { path: { type: 'string' }, depth: { type: 'integer', default: 2 } },
      required: ['path'],
      additionalProperties: false,
    } as const
    const list = await registered(input)
    expect(list.jsonSchema).toEqual(input)
    expect(await list.validate({ path: 'src' })).toEqual({ ok: true, args: { path: 'src', depth: 2 } })
    const unfit = { ok: false, message: 'path: expected string, got 5', isUnfit: true }
    expect(await list.validate({ path: 5 })).toEqual(unfit)
  },
)

test('says which field is wrong, what was expected and what came', async () => {
  expect(await refusal(count, { n: 'many' })).toBe('n: expected number, got "many"')
  expect(await refusal(count, { n: 9 })).toBe('n: Too big: expected number to be <=5, got 9')
  expect(await refusal(count, {})).toBe('n: expected number, but it is missing')
  const either = { type: 'object', properties: { k: { type: ['string', 'number'] } } } as const
  expect(await refusal(either, { k: true })).toBe('k: expected string or expected number, got true')
  const nested = z.object({ list: z.array(z.object({ id: z.string() })) })
  expect(await refusal(nested, { list: [{ id: 'a' }, { id: 2 }] })).toBe('list[1].id: expected string, got 2')
  expect(await refusal(z.object({ a: z.string().max(2) }), { a: 'x'.repeat(5000) })).toHaveLength(
    'a: Too big: expected string to have <=2 characters, got '.length + 81,
  )
})

test('names the field a tool does not have', async () => {
  const closed = { type: 'object', properties: {}, additionalProperties: false } as const
  expect(await refusal(closed, { verbose: true, __x: 1 })).toBe(
    'verbose: there is no such field; __x: there is no such field',
  )
})

test('does not let through what the schema converter would pass over', async () => {
  expect(await refusal({ type: 'object', required: ['x'] }, {})).toContain('x: ')
  const implied = { type: 'object', properties: { a: { properties: { b: { type: 'string' } } } } } as const
  expect(await refusal(implied, { a: { b: 1 } })).toBe('a.b: expected string, got 1')
  const list = { type: 'object', properties: { a: { type: 'array', maxItems: 1 } } } as const
  expect(await refusal(list, { a: [1, 2] })).toContain('a: Too big')
  const oneOf = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] } as const
  expect(await refusal(oneOf, { c: 1 })).not.toBe('accepted')
  expect(await refusal(oneOf, { b: 1 })).toBe('accepted')
})

test('takes fields that are named like keywords', async () => {
  const odd = {
    type: 'object',
    properties: { required: { type: 'boolean' }, properties: { type: 'string' }, default: { type: 'number' } },
    required: ['properties'],
  } as const
  expect(await refusal(odd, { properties: 'x', required: true, default: 1 })).toBe('accepted')
  expect(await refusal(odd, { required: true })).toContain('properties: ')
  expect(await refusal(odd, { properties: 'x', default: 'y' })).toContain('default: ')
})

test('refuses arguments whose check itself fails', async () => {
  const broken = z.object({ a: z.string().refine(() => Promise.reject(new Error('no database'))) })
  expect(await refusal(broken, { a: 'x' })).toBe('The arguments cannot be checked: no database')
})

test('follows references, also recursive ones', async () => {
  const tree = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node' } },
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, additionalProperties: false } },
  } as const
  expect(await refusal(tree, { root: { next: { next: {} } } })).toBe('accepted')
  expect(await refusal(tree, { root: { next: { other: 1 } } })).toContain('other')
})

test('puts no schema of its own into the registry of the schema library', async () => {
  const input = { type: 'object', id: 'segno-test', properties: { a: { type: 'string' } } } as const
  const registry = await createRegistry([tool({ input, name: 'a' }), tool({ input, name: 'b' })])
  expect(await registry.get('a')?.validate({ a: 'x' })).toMatchObject({ ok: true })
  expect(await registry.get('b')?.validate({ a: 'x' })).toMatchObject({ ok: true })
  expect(z.toJSONSchema(z.globalRegistry).schemas).not.toHaveProperty('segno-test')
})

test.each<[string, Partial<Tool>, string]>([
  ['a name with a space', { name: 'a b' }, '"a b"'],
  ['an empty name', { name: '' }, 'name'],
  ['a name that is too long', { name: 'x'.repeat(65) }, 'name'],
  ['the name of a permission', { name: 'manage' }, 'permission'],
  ['verifiable without verify', { effect: 'verifiable' }, 'verify'],
  ['an unknown effect class', { effect: 'harmless' as 'pure' }, 'harmless'],
  ['an unknown approval', { approval: 'never' as 'auto' }, 'never'],
  ['an unknown normal form', { normalise: { a: 'file' as 'path' } }, 'file'],
  ['half a character of output', { outputChars: 0.5 }, 'outputChars'],
  ['no time at all', { timeoutMs: 0 }, 'timeoutMs'],
  ['a negative cost', { cost: -1 }, 'cost'],
  ['a schema that is no object', { input: { type: 'string' } as never }, 'type "object"'],
  ['an unknown type', { input: { type: 'object', properties: { a: { type: 'wat' } } } }, '#/properties/a'],
  ['properties that are none', { input: { type: 'object', properties: 5 } }, '#/properties'],
  ['required that is no list', { input: { type: 'object', required: 'a' } }, 'required'],
  ['a broken pattern', { input: { type: 'object', properties: { a: { pattern: '(' } } } }, 'pattern'],
  ['a reference to nothing', { input: { type: 'object', properties: { a: { $ref: '#/$defs/b' } } } }, '#/$defs/b'],
  ['a keyword that cannot be enforced', { input: { type: 'object', if: {} } }, '"if"'],
  ['a bound that is no number', { input: { type: 'object', properties: { a: { maximum: '5' } } } }, 'maximum'],
  ['a Zod schema of no object', { input: z.string() }, 'object'],
  ['a Zod type without JSON form', { input: z.object({ at: z.date() }) }, 'Date'],
  ['a Zod transform', { input: z.object({ a: z.string().transform((text) => text.length) }) }, 'ransform'],
  ['a Zod pipe into another type', { input: z.object({ a: z.stringbool() }) }, 'other types'],
])('refuses to register %s', async (_, more, part) => {
  const failed = createRegistry([tool(more)])
  await expect(failed).rejects.toMatchObject({ name: 'Problem', code: 'CONFIG_ERROR' })
  await expect(failed).rejects.toThrow(part)
  await expect(failed).rejects.toThrow(`"${more.name ?? 'echo'}"`)
})

test('refuses a schema that contains itself', async () => {
  const input: Record<string, unknown> = { type: 'object' }
  input['properties'] = { self: input }
  await expect(createRegistry([tool({ input: input as never })])).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
})

test('refuses two tools of one name', async () => {
  await expect(createRegistry([tool(), tool()])).rejects.toThrow('"echo" is registered twice')
})

test('lists tools by name, whatever order they came in', async () => {
  const names = async (...all: string[]) =>
    (await createRegistry(all.map((name) => tool({ name })))).all().map(({ name }) => name)
  expect(await names('b', 'a', 'C')).toEqual(['C', 'a', 'b'])
  expect(await names('a', 'C', 'b')).toEqual(['C', 'a', 'b'])
})

test('knows no tool that was not registered', async () => {
  const registry = await createRegistry([tool()])
  expect(registry.get('__proto__')).toBeUndefined()
  expect(registry.get('toString')).toBeUndefined()
})

test('takes a tool for unsafe until it says otherwise', async () => {
  expect((await registered(count)).effect).toBe('unsafe')
  expect((await registered(count, { effect: 'keyed' })).effect).toBe('keyed')
})

test('changes the definition hash with everything a person approved, and with nothing else', async () => {
  const hash = async (more: Partial<Tool>) => (await registered(count, more)).definitionHash
  const original = await hash({})
  expect(original).toMatch(/^[0-9a-f]{64}$/)
  expect(await hash({ run: () => 'other', timeoutMs: 5, effect: 'unsafe' })).toBe(original)
  const { required, properties, type } = count
  expect(await hash({ input: { required, properties, type } })).toBe(original)
  const changed = [
    await hash({ description: 'says it twice' }),
    await hash({ effect: 'pure' }),
    await hash({ approval: 'always' }),
    await hash({ input: { ...count, required: [] } }),
  ]
  expect(new Set([original, ...changed]).size).toBe(5)
})

test('is not changed by what happens to a schema afterwards', async () => {
  const input = { type: 'object', properties: { a: { type: 'string' } } } as const
  const found = await registered(input)
  ;(input.properties.a as { type: string }).type = 'number'
  expect(await found.validate({ a: 'text' })).toMatchObject({ ok: true })
})
