import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const echo = () => probe('echo', { run: ({ n }) => `echo ${Number(n)}` })
const call = (n: number, id?: string) => ({ name: 'echo', args: { n }, ...(id !== undefined && { id }) })

const repeated = {
  'within a turn': [{ calls: [call(1, 'same'), call(2, 'same'), call(3, 'same')] }, { text: 'Done.' }],
  'across turns': [{ calls: [call(1)] }, { calls: [call(2)] }, { calls: [call(3)] }, { text: 'Done.' }],
}

for (const [where, turns] of Object.entries(repeated)) {
  verifies(
    ['LIN-3', 'ORC-2'],
    `a provider that repeats its ids ${where} gets each result to its own call`,
    async () => {
      const segno = await segnoUnderTest({ tools: [echo()], turns })
      const { events } = await segno.ask()
      const asked = new Map(said(events, 'tool.call').map(({ callId, args }) => [callId, args['n']]))
      expect([...asked.values()]).toEqual([1, 2, 3])
      for (const { callId, content } of said(events, 'tool.result'))
        expect(content).toBe(`echo ${Number(asked.get(callId))}`)
    },
  )

  verifies('LIN-3', `a provider that repeats its ids ${where} is shown ids that are unique`, async () => {
    const segno = await segnoUnderTest({ tools: [echo()], turns })
    await segno.ask()
    const ids = (role: 'assistant' | 'tool') =>
      (segno.requests.at(-1)?.prompt ?? []).flatMap((message) =>
        message.role === role ? message.content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])) : [],
      )
    expect(new Set(ids('assistant')).size).toBe(3)
    expect(ids('tool')).toEqual(ids('assistant'))
  })
}

verifies('LIN-3', 'the id of the provider is kept beside ours', async () => {
  const segno = await segnoUnderTest({ tools: [echo()], turns: [{ calls: [call(1, 'toolu_7')] }, { text: 'Done.' }] })
  const { events } = await segno.ask()
  expect(said(events, 'message.assistant')[0]?.content).toMatchObject([{ type: 'tool_use', providerId: 'toolu_7' }])
})
