import { expect } from 'vitest'
import { probe } from '../support/probe-tool.ts'
import { followStream } from '../support/sse-client.ts'
import { verifies } from '../support/verifies.ts'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { gateTool } from '../scenarios/library/support/gate-tool.ts'
import { ask, logOf, newSession, type Item } from './support/ask.ts'
import { served } from './support/served.ts'

const CALLS = [{ name: 'hold' }, { name: 'mail' }]
const model = {
  scenarios: [{ when: '^both', turns: [{ text: 'Two things. ', calls: CALLS }, { text: 'Both are done.' }] }],
}

/** A round whose first call was allowed and runs, while the second one still waits for a person. */
async function whileHolding() {
  const hold = gateTool('hold', { effect: 'unsafe', approval: 'ask' })
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const { url } = await served({ model, tools: [hold, mail] })
  const id = await newSession(url)
  const reader = followStream({ url: `${url}/api/sessions/${id}/events`, ends: () => false })
  const post = (content: string) => ask(url, 'POST', `/api/sessions/${id}/messages`, { content })
  const { requestId = '' } = (await post('both')).body
  const pending = async () => (await ask(url, 'GET', '/api/approvals?status=pending')).body.items ?? []
  await eventually(async () => (await pending()).length === 2)
  const approvalOf = async (tool: string) =>
    (await pending()).find((one) => (one as unknown as { tool: string }).tool === tool)?.id ?? ''
  const decide = async (approval: string, decision: string) =>
    (await ask(url, 'POST', `/api/approvals/${approval}`, { decision })).status
  const forMail = await approvalOf('mail')
  await decide(await approvalOf('hold'), 'approve')
  await hold.entered
  return {
    hold,
    mail,
    post,
    requestId,
    decideMail: (decision: string) => decide(forMail, decision),
    cancel: () => ask(url, 'POST', `/api/rounds/${requestId}/cancel`),
    /** the log once it has that many ends */
    async ended(rounds: number) {
      let ends = 0
      await reader.until(({ event }) => event === 'round.ended' && ++ends === rounds)
      reader.leave()
      expect(reader.faults).toEqual([])
      return logOf(url, id)
    },
  }
}

const outcomes = (log: readonly Item[]) =>
  log.filter(({ type }) => type === 'tool.result').map(({ data }) => [data['name'], data['outcome'], data['effect']])
const ends = (log: readonly Item[]) =>
  log.filter(({ type }) => type === 'round.ended').map(({ data }) => data['finishReason'])
const count = (log: readonly Item[], type: string) => log.filter((event) => event.type === type).length

verifies(['REL-3', 'ORC-8'], 'an approval that comes while a tool runs counts once and disturbs nothing', async () => {
  const u = await whileHolding()
  const answers = await Promise.all(Array.from({ length: 10 }, () => u.decideMail('approve')))
  expect(answers.sort((a, b) => a - b)).toEqual([202, ...Array.from({ length: 9 }, () => 409)])
  expect(u.mail.runs).toHaveLength(0)
  u.hold.open()
  const log = await u.ended(1)
  expect(ends(log)).toEqual(['complete'])
  expect(outcomes(log)).toEqual([
    ['hold', 'ok', 'done'],
    ['mail', 'ok', 'done'],
  ])
  expect(count(log, 'approval.decided')).toBe(2)
  expect([u.hold.runs.length, u.mail.runs.length]).toEqual([1, 1])
})

verifies(['REL-3', 'ORC-8'], 'a denial that comes while a tool runs does not touch that tool', async () => {
  const u = await whileHolding()
  expect(await u.decideMail('deny')).toBe(202)
  expect(await u.decideMail('approve')).toBe(409)
  u.hold.open()
  const log = await u.ended(1)
  expect(outcomes(log)).toEqual([
    ['hold', 'ok', 'done'],
    ['mail', 'denied', 'none'],
  ])
  expect([u.hold.runs.length, u.mail.runs.length]).toEqual([1, 0])
})

verifies(['REL-3', 'COO-4'], 'a message that comes while a tool runs waits for its turn', async () => {
  const u = await whileHolding()
  expect((await u.post('and then this')).body.state).toBe('queued')
  await u.decideMail('approve')
  expect(u.hold.runs[0]?.ctx.signal.aborted).toBe(false)
  u.hold.open()
  const log = await u.ended(2)
  expect(ends(log)).toEqual(['complete', 'complete'])
  expect(count(log, 'message.user')).toBe(2)
  const first = log.findIndex(({ type }) => type === 'round.ended')
  expect(log.slice(0, first).every(({ requestId }) => requestId === null || requestId === u.requestId)).toBe(true)
  expect([u.hold.runs.length, u.mail.runs.length]).toEqual([1, 1])
})

verifies(
  ['REL-3', 'COO-5', 'LIN-3'],
  'a cancel that comes while a tool runs, with an approval and a message before it, ends that round once',
  async () => {
    const u = await whileHolding()
    await u.decideMail('approve')
    await u.post('and then this')
    const answers = await Promise.all(Array.from({ length: 5 }, () => u.cancel()))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    const log = await u.ended(2)
    expect(ends(log)).toEqual(['cancelled', 'complete'])
    expect(outcomes(log)).toEqual([
      ['hold', 'cancelled', 'unknown'],
      ['mail', 'cancelled', 'none'],
    ])
    expect(u.hold.runs[0]?.ctx.signal.aborted).toBe(true)
    expect([u.hold.runs.length, u.mail.runs.length]).toEqual([1, 0])
    // A cancel that comes too late is for nobody else's round.
    expect((await u.cancel()).status).toBe(202)
    expect(ends(await u.ended(2))).toEqual(['cancelled', 'complete'])
  },
)
