import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

interface Stubborn {
  /** what the model repeats without end */
  readonly call: NonNullable<ScriptedTurn['calls']>[number]
  readonly tool?: Partial<Tool>
  readonly options?: { mode?: 'plan'; attended?: boolean; permissions?: string[] }
  /** what each attempt comes to before the round is stopped */
  readonly triggered: readonly string[]
  readonly unified: readonly string[]
}

const times = (n: number, what: string): string[] => Array.from({ length: n }, () => what)
const mail = { name: 'mail', args: { to: 'a' } }

const stubborn: Record<string, Stubborn> = {
  'an unknown tool': {
    call: { name: 'nowhere' },
    triggered: times(3, 'UNKNOWN_TOOL'),
    unified: times(5, 'UNKNOWN_TOOL'),
  },
  'malformed arguments': {
    call: { name: 'mail', rawArgs: '{"to": ' },
    triggered: times(3, 'INVALID'),
    unified: times(5, 'INVALID'),
  },
  'arguments that do not fit': {
    call: { name: 'mail', args: { to: 5 } },
    tool: { input: { type: 'object', properties: { to: { type: 'string' } } } },
    triggered: times(3, 'INVALID'),
    unified: times(5, 'INVALID'),
  },
  'a tool the user may not use': {
    call: mail,
    options: { permissions: ['chat:*', 'tool:other'] },
    triggered: ['PERMISSION', ...times(2, 'DUPLICATE')],
    unified: ['PERMISSION', ...times(4, 'DUPLICATE')],
  },
  'a tool that changes things while planning': {
    call: mail,
    options: { mode: 'plan' },
    triggered: ['MODE', ...times(2, 'DUPLICATE')],
    unified: ['MODE', ...times(4, 'DUPLICATE')],
  },
  'a call that is denied': {
    call: mail,
    tool: { approval: 'ask' },
    options: { attended: false },
    triggered: ['UNATTENDED', ...times(2, 'DUPLICATE')],
    unified: ['UNATTENDED', ...times(4, 'DUPLICATE')],
  },
  'a call that was carried out': {
    call: mail,
    triggered: ['ok', ...times(3, 'DUPLICATE')],
    unified: ['ok', ...times(4, 'DUPLICATE')],
  },
  'a call that failed': {
    call: mail,
    tool: { run: () => Promise.reject(new Error('no mail today')) },
    triggered: ['error', ...times(3, 'DUPLICATE')],
    unified: ['error', ...times(4, 'DUPLICATE')],
  },
}

for (const protocol of ['triggered', 'unified'] as const) {
  for (const [name, { call, tool, options = {}, ...expected }] of Object.entries(stubborn)) {
    verifies(['PHA-5', 'PHA-6'], `${protocol}: a model that only repeats ${name} is made to answer`, async () => {
      const segno = await segnoUnderTest({
        tools: [probe('mail', { effect: 'unsafe', ...tool })],
        turns: [{ calls: [call] }],
        repeat: true,
      })
      const { permissions = ['*'], ...rest } = options
      const sessionId = (await segno.segno.createSession()).id
      const actor = { ...LOCAL_OWNER, permissions }
      const { events, finishReason } = await segno.ask('Go.', { protocol, sessionId, actor, ...rest })
      const results = said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)
      expect(results).toEqual(expected[protocol])
      expect(finishReason).toBe('iteration_limit')
      expect(said(events, 'turn.started').map(({ last }) => last)).toEqual([...results.map(() => false), true])
    })
  }
}

verifies('PHA-5', 'how many fruitless attempts force the answer can be set', async () => {
  const segno = await segnoUnderTest({
    turns: [{ calls: [{ name: 'nowhere' }] }],
    repeat: true,
    limits: { MAX_FRUITLESS: 1 },
  })
  const { events } = await segno.ask('Go.', { protocol: 'triggered' })
  expect(said(events, 'tool.result')).toHaveLength(1)
})
