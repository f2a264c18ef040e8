import { expect } from 'vitest'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe, text } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

async function outcomesOf(tool: Partial<Tool>, calls: readonly Record<string, string>[]) {
  const segno = await segnoUnderTest({
    tools: [probe('http', { effect: 'unsafe', ...tool })],
    turns: [{ calls: calls.map((args) => ({ name: 'http', args })) }, { text: 'Done.' }],
  })
  const { events } = await segno.ask('Go.', { attended: false })
  return said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)
}

verifies('ORC-8', 'an automatic tool asks nobody, a tool that asks or always asks does', async () => {
  expect(await outcomesOf({ approval: 'auto' }, [{}])).toEqual(['ok'])
  expect(await outcomesOf({ approval: 'ask' }, [{}])).toEqual(['UNATTENDED'])
  expect(await outcomesOf({ approval: 'always' }, [{}])).toEqual(['UNATTENDED'])
})

verifies('ORC-8', 'a tool that says nothing asks unless it only reads', async () => {
  const silent = { approval: undefined as never }
  expect(await outcomesOf({ ...silent, effect: 'pure' }, [{}])).toEqual(['ok'])
  expect(await outcomesOf({ ...silent, effect: 'keyed' }, [{}])).toEqual(['UNATTENDED'])
})

verifies('ORC-8', 'a tool may decide by its arguments: a GET to a known host is automatic, all else asks', async () => {
  const known = new Set(['example.org'])
  const rule: Tool['approval'] = ({ method, host }) => (method === 'GET' && known.has(text(host)) ? 'auto' : 'ask')
  const calls = [
    { method: 'GET', host: 'example.org' },
    { method: 'POST', host: 'example.org' },
    { method: 'GET', host: 'example.com' },
  ]
  expect(await outcomesOf({ approval: rule }, calls)).toEqual(['ok', 'UNATTENDED', 'UNATTENDED'])
})

verifies('ORC-8', 'a rule that fails, or says what is no rule, asks a person', async () => {
  const failing: Tool['approval'] = () => {
    throw new Error('no idea')
  }
  expect(await outcomesOf({ approval: failing }, [{}])).toEqual(['UNATTENDED'])
  expect(await outcomesOf({ approval: () => 'sure' as 'auto' }, [{}])).toEqual(['UNATTENDED'])
})

verifies('ORC-8', 'a target that is no text, or fails, is replaced by all arguments', async () => {
  const targets: unknown[] = []
  const fails = (): string => {
    throw new Error('no idea')
  }
  for (const target of [() => ({ not: 'text' }), () => undefined, fails]) {
    const segno = await segnoUnderTest({
      tools: [probe('http', { approval: 'ask', target: target as unknown as () => string })],
      turns: [{ calls: [{ name: 'http', args: { host: 'example.org' } }] }, { text: 'Done.' }],
    })
    const { approvals } = await segno.askUntilWaiting()
    targets.push(approvals[0]?.target)
  }
  expect(targets).toEqual(targets.map(() => '{"host":"example.org"}'))
})
