import type { Protocol } from '../../../../src/contract/outcome.ts'
import { probe, type Probe } from '../../../support/probe-tool.ts'
import { segnoUnderTest, type SegnoUnderTest } from '../../../support/segno-under-test.ts'

export interface RichSession {
  readonly u: SegnoUnderTest
  readonly tools: readonly Probe[]
  /** how often any tool ran */
  runs(): number
}

const script = {
  scenarios: [
    {
      when: '^work',
      turns: [
        { text: 'First I look.', reasoning: 'Looking is cheap.', calls: [{ name: 'look' }, { name: 'save' }] },
        { text: 'Now two mails.', calls: [mail('ada'), mail('bob')] },
        // In a unified round this is a repetition, in a triggered one the first time that bob is asked about.
        { calls: [mail('bob')] },
        { calls: [{ name: 'look', rawArgs: '{broken' }] },
        { text: 'All done.' },
      ],
    },
  ],
}

function mail(to: string) {
  return { name: 'mail', args: { to } }
}

/**
 * A session in which nearly everything happened: a plain round, one with pure, keyed and unsafe calls, an approval, a
 * denial and arguments that do not parse, and a round after that.
 */
export async function richSession(protocol: Protocol): Promise<RichSession> {
  const tools = [
    probe('look'),
    probe('save', { effect: 'keyed' }),
    probe('mail', { effect: 'unsafe', approval: 'ask' }),
  ]
  const u = await segnoUnderTest({ tools, script, limits: { MAX_CYCLES: 5 } })
  await u.ask('hello', { protocol })
  const round = await u.send('work', { protocol })
  const ended = round.completion.then(() => true)
  for (let asked = 0; !(await Promise.race([ended, decided(u, asked)]));) asked += 1
  await u.ask('thanks', { protocol })
  return { u, tools, runs: () => tools.reduce((sum, tool) => sum + tool.runs.length, 0) }
}

/** The first thing asked for is approved, everything after it denied. */
async function decided(u: SegnoUnderTest, before: number): Promise<false> {
  for (;;) {
    const [approval] = await u.pending()
    if (approval) {
      await u.decide(approval, before === 0 ? 'approve' : 'deny')
      while ((await u.pending()).some(({ id }) => id === approval.id)) await new Promise(setImmediate)
      return false
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
