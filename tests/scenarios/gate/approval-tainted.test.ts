import { expect } from 'vitest'
import { probe, text } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const PROTOCOLS = ['unified', 'triggered'] as const
const done: ScriptedTurn = { text: 'Done.' }
const mail = (body: string, to = 'ann'): ScriptedTurn => ({ calls: [{ name: 'mail', args: { to, body } }] })

/**
 * The first message mails and is approved for the session. What comes next is asked with nobody there, so that a
 * question is a denial.
 */
async function afterRemembering(next: ScriptedTurn, protocol: (typeof PROTOCOLS)[number], reads: boolean) {
  const tools = [
    probe('mail', { effect: 'unsafe', approval: 'ask', reach: ['outward'], own: true, target: ({ to }) => text(to) }),
    // Anybody may have written what it returns.
    probe('read', { own: false }),
  ]
  const read: ScriptedTurn = { calls: [{ name: 'read' }] }
  const script = {
    scenarios: [
      { when: '^first', turns: [mail('hello'), done] },
      { when: '^next', turns: [...(reads ? [read] : []), next, done] },
    ],
  }
  const segno = await segnoUnderTest({ tools, script })
  const { round, approvals } = await segno.askUntilWaiting('First', { protocol })
  await segno.decide(approvals[0], 'approve', { remember: 'session' })
  await round.completion
  const { events } = await segno.ask('Next', { attended: false, protocol })
  return said(events, 'tool.result')
    .filter(({ name }) => name === 'mail')
    .map(({ outcome, code }) => code ?? outcome)
}

for (const protocol of PROTOCOLS) {
  verifies(
    'ORC-8',
    `${protocol}: what is remembered for a target holds for other words while all words are ours`,
    async () => {
      expect(await afterRemembering(mail('something else'), protocol, false)).toEqual(['ok'])
      expect(await afterRemembering(mail('hello', 'eve'), protocol, false)).toEqual(['UNATTENDED'])
    },
  )

  verifies(
    'ORC-8',
    `${protocol}: once a stranger's words were read it holds only for exactly the same arguments`,
    async () => {
      expect(await afterRemembering(mail('hello'), protocol, true)).toEqual(['ok'])
      // One byte less, one more, another one, one that cannot be seen.
      for (const body of ['hell', 'hello.', 'hallo', 'hello\u200b', 'Hello'])
        expect(await afterRemembering(mail(body), protocol, true), body).toEqual(['UNATTENDED'])
    },
  )
}

for (const protocol of PROTOCOLS) {
  verifies(
    'ORC-8',
    `${protocol}: an approved call that comes again with one byte changed is asked about anew`,
    async () => {
      const tool = probe('mail', { effect: 'unsafe', approval: 'ask' })
      const segno = await segnoUnderTest({ tools: [tool], turns: [mail('pay 10'), mail('pay 1O'), done] })
      const { round, approvals } = await segno.askUntilWaiting('Go.', { protocol })
      await segno.decide(approvals[0], 'approve')
      await segno.until('round.waiting', 2)
      const [again] = await segno.pending()
      expect(again?.id).not.toBe(approvals[0]?.id)
      expect(again?.args).toEqual({ to: 'ann', body: 'pay 1O' })
      expect(tool.runs).toHaveLength(1)
      await segno.decide(again, 'deny')
      await round.completion
      expect(tool.runs.map(({ args }) => args['body'])).toEqual(['pay 10'])
    },
  )
}
