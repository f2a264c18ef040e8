import { expect, test } from 'vitest'
import { cost } from '../../tests/support/linear.ts'
import { verifies } from '../../tests/support/verifies.ts'
import type { JsonObject } from '../contract/message.ts'
import type { Tool } from '../contract/tool.ts'
import type { Egress } from '../egress/index.ts'
import { aboutCall, targetOf } from './about-call.ts'
import { bash } from './local/bash.ts'
import { deepReasoning } from './local/deep-reasoning.ts'
import { workspace } from './local/workspace.suite.ts'
import { localTools } from './local-tools.ts'
import { createRegistry } from './registry.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { SANDBOX_LIMITS, WEB_LIMITS } from '../../tests/support/limits.ts'
import { signature } from './signature.ts'
import { KNOWN_HOSTS } from './web/known-hosts.ts'
import { webFetch } from './web/web-fetch.ts'

const nothing = {} as Sandbox & Egress
const TOOLS: readonly Tool[] = [
  ...localTools({ now: () => 0 }),
  bash(nothing, { ...SANDBOX_LIMITS, timeoutMs: 1000 }),
  deepReasoning({ ask: () => Promise.reject(new Error()), cost: () => ({ cost: 0, tokens: 0 }) }, 1000),
  webFetch({ egress: nothing, knownHosts: KNOWN_HOSTS, limits: WEB_LIMITS }),
]
const registry = await createRegistry(TOOLS)

interface Field {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Field
  readonly properties?: Readonly<Record<string, Field>>
}

function* unlimited(at: string, field: Field): Generator<string> {
  if (field.type === 'string' && field.enum === undefined && field.maxLength === undefined) yield at
  if (field.type === 'array' && field.maxItems === undefined) yield at
  if (field.items) yield* unlimited(`${at}[]`, field.items)
  for (const [name, below] of Object.entries(field.properties ?? {})) yield* unlimited(`${at}.${name}`, below)
}

verifies('REL-8', 'every text and list that a built-in tool takes has a longest length', () => {
  expect(registry.all().flatMap(({ name, jsonSchema }) => [...unlimited(name, jsonSchema as Field)])).toEqual([])
})

/** Each is the beginning of something over and over: a path, a URL, an order, a secret name, a number. */
const UNITS = ['../', 'a/', 'git push ', 'rm -', '.env.', 'https://a.', ' ', '((', '1e', '<', 'e\u0301', '\n', 'a']

const texts = (tool: string): readonly (readonly [string, Field])[] =>
  Object.entries((registry.get(tool)?.jsonSchema as Field | undefined)?.properties ?? {}).filter(
    ([, field]) => field.type === 'string' && field.enum === undefined,
  )

const filled = (field: Field, unit: string): string =>
  unit.repeat(Math.ceil((field.maxLength ?? 0) / unit.length)).slice(0, field.maxLength)

/** What happens to a call on the main thread before anybody is asked. */
async function lookAt(name: string, args: JsonObject): Promise<number> {
  const tool = registry.get(name)
  if (!tool) throw new Error(name)
  await tool.validate(args)
  return cost(() => {
    aboutCall(tool, args)
    targetOf(tool, args)
    signature(tool, name, args, 'w')
  })
}

test.each(registry.all().map(({ name }) => name))('%s judges its longest arguments in moments', async (name) => {
  for (const unit of UNITS) {
    const args = Object.fromEntries(texts(name).map(([field, schema]) => [field, filled(schema, unit)]))
    expect(await lookAt(name, args), JSON.stringify(unit)).toBeLessThan(300)
  }
})

test.each(['read_file', 'write_file', 'list_files', 'search_files'])(
  '%s refuses a path without an end',
  async (name) => {
    const more = { write_file: { content: 'x' }, search_files: { query: 'x' } }[name]
    const tool = registry.get(name)
    const { run } = await workspace()
    for (const path of ['../'.repeat(80_000), 'a/'.repeat(100_000)]) {
      const args = { path, ...more }
      expect(await tool?.validate(args)).toMatchObject({
        ok: false,
        message: expect.stringContaining('path') as string,
      })
      // Even where nobody looked at the schema.
      await expect(run(tool?.tool as Tool, args)).rejects.toThrow('at most 4096 characters')
      expect(await lookAt(name, args)).toBeLessThan(300)
    }
  },
)
