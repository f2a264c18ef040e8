import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../contract/message.ts'
import type { CostRule, Tool } from '../contract/tool.ts'
import { aboutCall, targetOf } from './about-call.ts'
import { text } from '../../tests/support/probe-tool.ts'
import { createRegistry, type RegisteredTool } from './registry.ts'

async function registered(more: Partial<Tool>): Promise<RegisteredTool> {
  const tool: Tool = { name: 'send', description: 'sends', input: { type: 'object' }, run: () => null, ...more }
  return (await createRegistry([tool])).get('send') as RegisteredTool
}
const about = async (more: Partial<Tool>, args: JsonObject = {}, cost?: CostRule) =>
  aboutCall(await registered(more), args, { cost })
const boom = (): never => {
  throw new Error('boom')
}

describe('a tool that declares nothing', () => {
  test('can do anything, asks, and sends data out', async () => {
    expect(await about({})).toMatchObject({ effect: 'unsafe', need: 'ask', reach: ['outward'], estimate: { cost: 0 } })
  })

  test('but that it is pure runs by itself and reaches nothing', async () => {
    expect(await about({ effect: 'pure' })).toMatchObject({ need: 'auto', reach: [] })
    expect(await about({ effect: 'keyed' })).toMatchObject({ need: 'ask', reach: ['outward'] })
  })
})

describe('a tool that decides by the arguments', () => {
  const byMethod: Partial<Tool> = {
    effect: ({ method }) => (method === 'GET' ? 'pure' : 'unsafe'),
    approval: ({ method }) => (method === 'GET' ? 'auto' : 'always'),
    reach: ({ method }) => (method === 'GET' ? [] : ['outward', 'secrets']),
  }
  test('is asked for each call', async () => {
    expect(await about(byMethod, { method: 'GET' })).toMatchObject({ effect: 'pure', need: 'auto', reach: [] })
    expect(await about(byMethod, { method: 'PUT' })).toMatchObject({
      effect: 'unsafe',
      need: 'always',
      reach: ['outward', 'secrets'],
    })
  })

  test('and says only the effect is taken by that', async () => {
    const { effect } = byMethod
    expect(await about({ effect } as Partial<Tool>, { method: 'GET' })).toMatchObject({ need: 'auto', reach: [] })
    expect(await about({ effect } as Partial<Tool>, { method: 'PUT' })).toMatchObject({
      need: 'ask',
      reach: ['outward'],
    })
  })

  test.each([
    ['throws', boom],
    ['says nonsense', () => 'perhaps'],
    ['says nothing', () => undefined],
    ['promises', async () => 'pure'],
  ])('and %s is taken for the worst', async (_, rule) => {
    const said = { effect: rule, approval: rule, reach: rule } as unknown as Partial<Tool>
    expect(await about(said)).toMatchObject({ effect: 'unsafe', need: 'always', reach: ['outward', 'secrets'] })
  })

  test('and names a reach nobody knows is taken for the worst', async () => {
    const reach = (() => ['outward', 'sideways']) as unknown as NonNullable<Tool['reach']>
    expect(await about({ reach })).toMatchObject({ reach: ['outward', 'secrets'] })
  })
})

test('what the operator says of the cost counts, whatever the tool declares', async () => {
  expect((await about({ cost: 5 }, {})).estimate.cost).toBe(5)
  expect((await about({ cost: 5 }, {}, 70)).estimate.cost).toBe(70)
  expect((await about({ cost: 'unknown' }, {}, 0)).estimate).toMatchObject({ cost: 0, confidence: 'exact' })
})

describe('the arguments a tool declares', () => {
  const normalise = { url: 'url', host: 'host', path: 'path', command: 'command' } as const

  test('are told by what they are, in their normal form', async () => {
    const args = {
      url: 'HTTPS://A.test:443/x#y',
      host: 'B.Test.',
      path: './a//b/../c/',
      command: 'ls  -la',
      other: 'x',
    }
    expect((await about({ normalise }, args)).fields).toEqual({
      url: ['https://a.test/x'],
      host: ['b.test'],
      path: ['a/c'],
      command: ['ls  -la'],
    })
  })

  test('may be lists, of which every member counts', async () => {
    expect((await about({ normalise }, { path: ['a', './b', 5] })).fields.path).toEqual(['a', 'b'])
  })

  test('are none where they are not given or no text', async () => {
    const none = { url: [], host: [], path: [], command: [] }
    expect((await about({ normalise }, {})).fields).toEqual(none)
    expect((await about({ normalise }, { path: { of: 'x' }, url: null })).fields).toEqual(none)
    expect((await about({ normalise: { ['constructor']: 'path' } as Record<string, 'path'> }, {})).fields).toEqual(none)
  })
})

describe('the target of a call', () => {
  test('is what the tool says, or all its arguments whatever their order', async () => {
    const tool = await registered({ target: ({ to }) => `mail to ${text(to)}` })
    expect(targetOf(tool, { to: 'ann', text: 'x' })).toBe('mail to ann')
    const silent = await registered({})
    expect(targetOf(silent, { b: 1, a: 2 })).toBe(targetOf(silent, { a: 2, b: 1 }))
  })

  test('is all arguments where the tool cannot say', async () => {
    const all = targetOf(undefined, { to: 'ann' })
    expect(all).toContain('ann')
    for (const target of [boom, () => 5, () => undefined])
      expect(targetOf(await registered({ target } as unknown as Partial<Tool>), { to: 'ann' })).toBe(all)
  })
})
