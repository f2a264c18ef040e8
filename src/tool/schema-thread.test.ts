import { expect, test } from 'vitest'
import { verifies } from '../../tests/support/verifies.ts'
import type { JsonObject } from '../contract/message.ts'
import type { JsonSchema, Tool } from '../contract/tool.ts'
import { checkAnswer, checkInput } from './read-input.ts'
import { createRegistry, withTools } from './registry.ts'
import type { Validation } from './schema-check.ts'

/** A schema of a few hundred bytes that takes 2^levels steps. */
function doubling(keyword: 'anyOf' | 'allOf' | 'oneOf', levels: number): JsonSchema {
  const defs: Record<string, object> = { d0: { type: 'number' } }
  for (let n = 1; n <= levels; n += 1) {
    const below = { $ref: `#/$defs/d${n - 1}` }
    defs[`d${n}`] = { [keyword]: [below, below] }
  }
  return { type: 'object', properties: { q: { $ref: `#/$defs/d${levels}` } }, $defs: defs }
}

const PLAIN = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } as const
const BACKTRACKING = { type: 'object', properties: { q: { type: 'string', pattern: '^(a+)+$' } } } as const
const NAMES = { type: 'object', patternProperties: { '^(a+)+$': { type: 'string' } } } as const
const LETTERS = `${'a'.repeat(50)}!`

/** The longest time for which nothing else could be done while `work` was. */
async function stillness(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now()
  let longest = 0
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 5)
  await work()
  clearInterval(timer)
  look()
  return longest
}

async function registeredOf(input: JsonSchema): Promise<(args: JsonObject) => Promise<Validation>> {
  const tool: Tool = { name: 'far__ask', description: 'asks', input, kind: 'mcp', run: () => 'done' }
  const found = (await withTools(await createRegistry([]), [tool])).get('far__ask')
  if (found === undefined) throw new Error('not registered')
  return (args) => found.validate(args)
}

verifies(
  'REL-5',
  'goes on with everything else while the schema of a stranger takes for ever, and then lets nothing through',
  async () => {
    const cases: readonly (readonly [JsonSchema, JsonObject])[] = [
      [BACKTRACKING, { q: LETTERS }],
      [NAMES, { [LETTERS]: 'x' }],
      [doubling('anyOf', 30), { q: 'x' }],
      [doubling('allOf', 40), { q: 1 }],
      [doubling('oneOf', 30), { q: 1 }],
    ]
    for (const [schema, args] of cases) {
      const checks: Validation[] = []
      const began = performance.now()
      const still = await stillness(async () => checks.push(await (await registeredOf(schema))(args)))
      // It is stopped at its time or at its memory, whichever comes first.
      expect(checks).toEqual([{ ok: false, message: expect.stringContaining('could not be checked') as string }])
      expect(still).toBeLessThan((performance.now() - began) / 2)
    }
    expect(await checkInput(BACKTRACKING, { q: LETTERS })).toMatchObject({ ok: false })
    expect(await checkInput(PLAIN, { q: 'x' })).toEqual({ ok: true, args: { q: 'x' } })
  },
  60_000,
)

test('checks what comes meanwhile as soon as the costly check is over', async () => {
  const costly = checkInput(BACKTRACKING, { q: LETTERS })
  const others = ['x', 'y', 5].map((q) => checkInput(PLAIN, { q }))
  expect((await costly).ok).toBe(false)
  expect((await Promise.all(others)).map(({ ok }) => ok)).toEqual([true, true, false])
})

test('lets others go before one costly schema is checked again and again', async () => {
  const ended: string[] = []
  const note = (what: string, check: Promise<Validation>) => check.then(() => void ended.push(what))
  const costly = Array.from({ length: 3 }, (_, i) => note('costly', checkInput(BACKTRACKING, { q: LETTERS, i })))
  const cheap = note('cheap', checkInput(PLAIN, { q: 'x' }))
  await Promise.all([...costly, cheap])
  expect(ended).toEqual(['costly', 'costly', 'cheap', 'costly'])
})

test.each([
  ['the many costly schemas of another tenant', ['1', '2', '3'], 'other'],
  ['a costly schema of the same tenant that is checked often', ['1', '1', '1'], 'costly'],
])('lets a cheap one go between %s', async (_, titles, tenant) => {
  const ended: string[] = []
  const check = async (schema: JsonSchema, whose: string): Promise<void> => {
    const { ok } = await checkInput(schema, { q: LETTERS }, { kind: 'workflows', whose })
    ended.push(ok ? 'cheap' : 'costly')
  }
  const costly = titles.map((title) => check({ ...BACKTRACKING, title }, 'costly'))
  await Promise.all([...costly, check(PLAIN, tenant)])
  expect(ended.indexOf('cheap')).toBeLessThan(3)
  expect(ended).toHaveLength(4)
})

test('says of a tool from outside what it says of any other, with defaults filled in and nothing hidden', async () => {
  const colour = { enum: ['red', 'gr\u202een'], default: 'red' }
  const input = { type: 'object', properties: { n: { type: 'integer' }, colour }, required: ['n'] } as JsonSchema
  const validate = await registeredOf(input)
  expect(await validate({ n: 1 })).toEqual({ ok: true, args: { n: 1, colour: 'red' } })
  const unfit = { ok: false, message: 'n: expected number, got "one"', isUnfit: true }
  expect(await validate({ n: 'one' })).toEqual(unfit)
  const refused = await validate({ n: 1, colour: 'blue' })
  expect(refused.ok || refused.message).toContain('"gr\\u{202e}en"')
})

test('refuses arguments that a large default would blow up', async () => {
  const item = { type: 'object', properties: { x: { type: 'string', default: 'x'.repeat(60_000) } } }
  const schema = { type: 'object', properties: { list: { type: 'array', items: item } } } as JsonSchema
  const list = Array.from({ length: 200 }, () => ({}))
  expect(await checkInput(schema, { list })).toMatchObject({ ok: false })
  expect(await checkInput(schema, { list: list.slice(0, 2) })).toMatchObject({ ok: true })
})

test('takes nothing for a schema of code that only says so', async () => {
  await expect(registeredOf({ type: 'object', _zod: { def: {} } } as unknown as JsonSchema)).resolves.toBeTypeOf(
    'function',
  )
})

verifies('REL-5', 'an answer whose schema takes for ever holds up no call of a tool', async () => {
  const tool = await registeredOf(PLAIN)
  await tool({ q: 'x' })
  const done: string[] = []
  await Promise.all([
    checkAnswer(BACKTRACKING, { q: LETTERS }).then(({ ok }) => done.push(`answer ${ok}`)),
    tool({ q: 'x' }).then(({ ok }) => done.push(`call ${ok}`)),
  ])
  expect(done).toEqual(['call true', 'answer false'])
})
