import { expect } from 'vitest'
import { z } from 'zod'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { reference } from '../../mcp/under-test.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

/** However a tool is declared, what happens to a call of it is the same. */
const kinds = {
  'written in code with a Zod schema': { input: z.object({ to: z.string() }) },
  'described by JSON Schema, as a server or a workflow describes its own': {
    input: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const,
  },
}

for (const [kind, { input }] of Object.entries(kinds)) {
  verifies('GOV-11', `a tool ${kind} passes every step of the gate`, async () => {
    const tool = probe('mail', { input, effect: 'unsafe', approval: 'ask' })
    const calls = [{ to: 5 }, { to: 'ann' }, { to: 'ann' }].map((args) => ({ name: 'mail', args }))
    const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls }, { text: 'Done.' }] })
    const codes = (events: Parameters<typeof said>[0]) =>
      said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)
    const forbidden = await segno.ask('Go.', { actor: { ...LOCAL_OWNER, permissions: ['chat:*'] } })
    expect(codes(forbidden.events)).toEqual(['INVALID', 'PERMISSION', 'DUPLICATE'])
    const planned = await segno.ask('Go.', { mode: 'plan' })
    expect(codes(planned.events)).toEqual(['INVALID', 'MODE', 'DUPLICATE'])
    const alone = await segno.ask('Go.', { attended: false })
    expect(codes(alone.events)).toEqual(['INVALID', 'UNATTENDED', 'DUPLICATE'])
    expect(tool.runs).toEqual([])
  })
}

verifies('GOV-11', 'a tool that comes with Segno passes the same gate', async () => {
  const calls = [
    { name: 'datetime', args: { timezone: 5 } },
    { name: 'datetime', args: {} },
    { name: 'write_file', args: { path: 'a', content: 'b' } },
  ]
  const segno = await segnoUnderTest({ builtInTools: true, turns: [{ calls }, { text: 'Done.' }] })
  const { events } = await segno.ask('Go.', { attended: false })
  expect(said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)).toEqual([
    'INVALID',
    'ok',
    'UNATTENDED',
  ])
})

verifies('GOV-11', 'a tool of an MCP server is one of them, and its calls pass the same gate', async () => {
  const segno = await segnoUnderTest({
    env: { SEGNO_MCP: JSON.stringify({ demo: reference('everything') }) },
    turns: [
      { calls: [{ a: 'x' }, { a: 2, b: 3 }].map((args) => ({ name: 'demo__get-sum', args })) },
      { text: 'Done.' },
    ],
  })
  const tools = await segno.segno.tools(LOCAL_OWNER)
  expect(tools.filter(({ kind }) => kind === 'mcp').map(({ name }) => name)).toContain('demo__get-sum')
  const { events } = await segno.ask('Go.', { attended: false })
  expect(said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)).toEqual(['INVALID', 'UNATTENDED'])
})
