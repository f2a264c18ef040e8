import { expect } from 'vitest'
import { z } from 'zod'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const shelf = z.object({
  row: z.int().min(1).describe('from the door'),
  side: z.enum(['left', 'right']).default('left'),
})
const jsonShelf = {
  type: 'object',
  properties: { row: { type: 'integer', minimum: 1 }, side: { enum: ['left', 'right'], default: 'left' } },
  required: ['row'],
  additionalProperties: false,
} as const

verifies('ORC-3', 'a tool declared with Zod is shown as the JSON Schema Zod makes of it', async () => {
  const segno = await segnoUnderTest({ tools: [probe('look', { input: shelf })], turns: [{ text: 'Hi.' }] })
  await segno.ask()
  const { $schema: _, ...expected } = z.toJSONSchema(shelf, { io: 'input' })
  expect(segno.requests[0]?.tools).toEqual([
    { type: 'function', name: 'look', description: 'does look', inputSchema: expected },
  ])
})

verifies('ORC-3', 'a tool declared with JSON Schema is shown as it was declared', async () => {
  const segno = await segnoUnderTest({ tools: [probe('look', { input: jsonShelf })], turns: [{ text: 'Hi.' }] })
  await segno.ask()
  expect(segno.requests[0]?.tools).toMatchObject([{ name: 'look', inputSchema: jsonShelf }])
})

for (const [kind, input] of [
  ['Zod', shelf],
  ['JSON Schema', jsonShelf],
] as const) {
  verifies(
    'ORC-3',
    `arguments are checked against the same ${kind} schema, and its defaults are filled in`,
    async () => {
      const tool = probe('look', { input })
      const calls = [{ row: 0 }, { row: 2, side: 'up' }, {}, { row: 3 }].map((args) => ({ name: 'look', args }))
      const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls }, { text: 'Hi.' }] })
      const { events } = await segno.ask()
      const codes = said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)
      expect(codes).toEqual(['INVALID', 'INVALID', 'INVALID', 'ok'])
      expect(tool.runs.map(({ args }) => args)).toEqual([{ row: 3, side: 'left' }])
    },
  )
}

verifies('ORC-3', 'the model is told which field was wrong and what was expected', async () => {
  const turns = [{ calls: [{ name: 'look', args: { row: 'two' } }] }, { text: 'Hi.' }]
  const segno = await segnoUnderTest({ tools: [probe('look', { input: shelf })], turns })
  const { events } = await segno.ask()
  expect(said(events, 'tool.result')[0]?.content).toMatch(/row: expected number, got "two"/)
})

const everyone = [
  probe('look'),
  probe('mail', { effect: 'unsafe' }),
  probe('pay', { effect: 'keyed' }),
  probe('book', { effect: 'verifiable', verify: async () => ({ happened: 'unknown' }) }),
]
const offeredTo = async (options: object, permissions: readonly string[] = ['*']) => {
  const segno = await segnoUnderTest({ tools: everyone, turns: [{ text: 'Hi.' }] })
  await segno.ask('Go.', { ...options, actor: { ...LOCAL_OWNER, permissions: ['chat:*', ...permissions] } })
  return segno.requests[0]?.tools?.map(({ name }) => name)
}

verifies(['ORC-3', 'PHA-12'], 'in act mode every tool is offered', async () => {
  expect(await offeredTo({ mode: 'act' })).toEqual(['book', 'look', 'mail', 'pay'])
})

verifies(['ORC-3', 'PHA-12'], 'in plan mode only tools that are pure are offered', async () => {
  expect(await offeredTo({ mode: 'plan' })).toEqual(['look'])
})

verifies('ORC-3', 'only tools the user may use are offered', async () => {
  expect(await offeredTo({}, ['tool:look', 'tool:pay', 'chat:write'])).toEqual(['look', 'pay'])
  expect(await offeredTo({}, ['tool:invoke'])).toEqual(['book', 'look', 'mail', 'pay'])
})

verifies('ORC-3', 'a user who may use no tool is offered none, and no choice of tools', async () => {
  expect(await offeredTo({}, ['chat:write'])).toBeUndefined()
})

verifies('ORC-3', 'mode and permission both narrow what is offered', async () => {
  expect(await offeredTo({ mode: 'plan' }, ['tool:mail'])).toBeUndefined()
})
