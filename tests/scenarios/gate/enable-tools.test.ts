import { expect, test } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'

const BOTH = { calls: [{ name: 'look' }, { name: 'send' }] }

async function twoTools(more: Parameters<typeof segnoUnderTest>[0] = {}) {
  const [look, send] = [probe('look'), probe('send', { effect: 'unsafe' })]
  const segno = await segnoUnderTest({ tools: [look, send], turns: [BOTH, { text: 'Done.' }], ...more })
  const offered = (): string[][] => segno.requests.map(({ tools = [] }) => tools.map(({ name }) => name))
  return { segno, look, send, offered }
}

verifies('GOV-7', 'a round that was sent with enableTools false is offered no tool and runs none', async () => {
  const { segno, look, send, offered } = await twoTools()
  const { events, content } = await segno.ask('Go.', { enableTools: false })
  expect(said(events, 'tool.result').map(({ code }) => code)).toEqual(['MODE', 'MODE'])
  expect([content, look.runs.length, send.runs.length, offered()[0]]).toEqual(['Done.', 0, 0, []])
  // The next round has them again.
  await segno.ask('Go.', { enableTools: true })
  expect([look.runs.length, send.runs.length]).toEqual([1, 1])
})

test('a list narrows the tools of a round to those it names', async () => {
  const { segno, look, send, offered } = await twoTools()
  const { events } = await segno.ask('Go.', { enableTools: ['look', 'no_such_tool'] })
  expect(said(events, 'tool.result').map(({ code, outcome }) => code ?? outcome)).toEqual(['ok', 'MODE'])
  expect([look.runs.length, send.runs.length, offered()[0]]).toEqual([1, 0, ['look']])
})

verifies('GOV-1', 'naming a tool gives no right to it: mode, permissions and policy still say no', async () => {
  const { segno, send } = await twoTools({ policy: { rules: [{ decide: 'deny', tool: 'send' }] } })
  const actor = { id: 'owner', kind: 'user', tenant: 'local', permissions: ['chat:*', 'tool:look'] } as const
  const codes = async (options: object) =>
    said((await segno.ask('Go.', { enableTools: ['look', 'send'], ...options })).events, 'tool.result').map(
      ({ code, outcome }) => code ?? outcome,
    )
  expect(await codes({})).toEqual(['ok', 'POLICY'])
  expect(await codes({ mode: 'plan' })).toEqual(['ok', 'MODE'])
  expect(await codes({ actor })).toEqual(['ok', 'PERMISSION'])
  expect(send.runs).toEqual([])
})

verifies('REL-4', 'what a round may use is stored with it: a restart in its middle changes nothing', async () => {
  let begun: () => void = () => {}
  const running = new Promise<void>((resolve) => (begun = resolve))
  const look = probe('look', {
    run: (_, { signal }) => {
      if (look.runs.length > 1) return 'seen'
      begun()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('')))
    },
  })
  const send = probe('send', { effect: 'unsafe' })
  const segno = await segnoUnderTest({
    tools: [look, send],
    turns: [{ calls: [{ name: 'look' }] }, { calls: [{ name: 'send' }] }, { text: 'Done.' }],
    limits: { DRAIN_MS: 0 },
  })
  const { requestId } = await segno.send('Go.', { enableTools: ['look'] })
  await running
  await segno.reopen()
  expect(await segno.segno.completion(segno.sessionId, requestId)).toMatchObject({ content: 'Done.' })
  expect(said(await segno.events(), 'tool.result').map(({ code, outcome }) => code ?? outcome)).toEqual(['ok', 'MODE'])
  expect(send.runs).toEqual([])
})

verifies('REL-1', 'also of a message that waits while Segno is closed', async () => {
  const stall = { text: '…', fault: { kind: 'stall' } } as const
  const send = probe('send', { effect: 'unsafe' })
  const segno = await segnoUnderTest({
    tools: [send],
    script: {
      scenarios: [
        { when: 'first', turns: [stall] },
        { when: 'second', turns: [{ calls: [{ name: 'send' }] }, { text: 'Done.' }] },
      ],
    },
    limits: { DRAIN_MS: 0 },
  })
  const first = await segno.send('first')
  const second = await segno.send('second', { enableTools: false })
  expect(second.state).toBe('queued')
  await segno.reopen()
  await segno.segno.rounds.cancel(
    { id: 'owner', kind: 'user', tenant: 'local', permissions: ['*'] },
    segno.sessionId,
    first.requestId,
  )
  expect(await segno.segno.completion(segno.sessionId, second.requestId)).toMatchObject({ content: 'Done.' })
  expect(send.runs).toEqual([])
})

test('the HTTP API takes it with a message, and refuses what is none of it', async () => {
  const { segno, send } = await twoTools()
  const path = `/api/sessions/${segno.sessionId}/messages?wait=1`
  const answer = await ask(segno, 'POST', path, { content: 'Go.', enableTools: ['look'] })
  expect(answer).toMatchObject({ status: 200, body: { calls: [{ outcome: 'ok' }, { outcome: 'refused' }] } })
  expect(await ask(segno, 'POST', path, { content: 'Go.', enableTools: 'look' })).toMatchObject({ status: 400 })
  expect(send.runs).toEqual([])
  for (const enableTools of ['look', 1, [1], Array.from({ length: 201 }, () => 'x')])
    await expect(segno.send('Go.', { enableTools: enableTools as never })).rejects.toMatchObject({
      field: 'enableTools',
    })
})
