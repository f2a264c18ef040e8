import { expect } from 'vitest'
import { verifyAudit } from '../../../src/audit/index.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { readAudit } from './read-audit.ts'

/** One for each place where content comes in, each its own word. */
const CANARIES = {
  title: 'CanaryTitle',
  renamed: 'CanaryRenamed',
  message: 'CanaryMessage',
  answer: 'CanaryAnswer',
  reasoning: 'CanaryReasoning',
  madeUpTool: 'CanaryMadeUpTool',
  unjudgedTool: 'CanaryUnjudgedTool',
  unparsedTool: 'CanaryUnparsedTool',
  rawArgs: 'CanaryRawArgs',
  argument: 'CanaryArgument',
  argumentName: 'CanaryArgumentName',
  output: 'CanaryOutput',
  toolError: 'CanaryToolError',
  target: 'CanaryTarget',
  denial: 'CanaryDenial',
  note: 'CanaryNote',
  modelError: 'CanaryModelError',
  providerId: 'CanaryProviderId',
} as const

const C = CANARIES
const ask = (name: string): ScriptedTurn => ({
  calls: [{ name, args: { [C.argumentName]: C.argument }, id: C.providerId }],
})
const twice = (turn: ScriptedTurn): { turns: ScriptedTurn[] } => ({
  turns: [turn, { text: C.answer, reasoning: C.reasoning }],
})

const script = {
  scenarios: [
    { when: 'works', ...twice(ask('works')) },
    { when: 'fails', ...twice(ask('fails')) },
    { when: 'doubts', ...twice(ask('doubts')) },
    { when: 'asks', ...twice(ask('asks')) },
    { when: 'invents', ...twice(ask(C.madeUpTool)) },
    { when: 'garbles', ...twice({ calls: [{ name: C.unparsedTool, rawArgs: `{"${C.rawArgs}` }] }) },
    { when: 'stops', turns: [{ calls: [{ name: 'asks' }, { name: C.unjudgedTool, args: { x: C.argument } }] }] },
    { when: 'breaks', turns: [{ text: 'x' }] },
  ],
}

const tools = [
  probe('works', { effect: 'unsafe', run: () => C.output, target: () => C.target }),
  probe('fails', {
    run: () => {
      throw new Error(C.toolError)
    },
  }),
  probe('doubts', {
    effect: 'unsafe',
    run: () => {
      throw Object.assign(new Error(C.toolError), { effect: 'unknown' })
    },
  }),
  probe('asks', { effect: 'unsafe', approval: 'ask', target: () => C.target }),
]

verifies(
  'ORC-11',
  'nothing that was said, made up, called, returned, thrown, decided or noted is in the audit log',
  async () => {
    const thrown: string[] = []
    const u = await segnoUnderTest({
      script,
      tools,
      model: (scripted) => ({
        ...scripted,
        doStream(options) {
          if (JSON.stringify(options.prompt.at(-1)).includes('breaks')) {
            thrown.push(C.modelError)
            throw new Error(C.modelError)
          }
          return scripted.doStream(options)
        },
      }),
    })
    const { sessions, rounds } = u.segno
    for (const what of ['works', 'fails', 'doubts', 'invents', 'garbles', 'breaks']) await u.ask(`${what} ${C.message}`)
    const { round, approvals } = await u.askUntilWaiting(`asks ${C.message}`)
    await u.decide(approvals[0], 'deny', { reason: C.denial })
    await round.completion
    const stopped = await u.askUntilWaiting(`stops ${C.message}`)
    await rounds.cancel(LOCAL_OWNER, u.sessionId, stopped.round.requestId)
    await stopped.round.completion
    const [doubtful] = await rounds.unknownCalls(LOCAL_OWNER)
    await rounds.reconcile(LOCAL_OWNER, doubtful?.callId ?? '', true, C.note)
    await sessions.change(LOCAL_OWNER, u.sessionId, { title: C.renamed })
    const titled = await sessions.create(LOCAL_OWNER, { title: C.title, alias: C.title })
    await sessions.archive(LOCAL_OWNER, titled.id)

    // Every canary sang: without this the test would show nothing.
    const heard = JSON.stringify([await u.events(), titled, thrown])
    const silent = Object.values(C).filter((word) => !heard.includes(word))
    expect(silent).toEqual([])

    const { rows, records } = await readAudit(u)
    const bytes = JSON.stringify(rows)
    expect(Object.values(C).filter((word) => bytes.includes(word))).toEqual([])
    expect(bytes).not.toMatch(/canary/i)
    expect(new Set(records.map(({ action }) => action))).toEqual(
      new Set([
        'session_created',
        'session_changed',
        'session_archived',
        'message_received',
        'message_complete',
        'message_error',
        'tool_executed',
        'tool_denied',
        'call_reconciled',
        'approval_decided',
        'orchestrator.request.start',
        'orchestrator.request.complete',
        'orchestrator.request.error',
        'orchestrator.tool.call',
        'orchestrator.tool.result',
        'orchestrator.cost.recorded',
      ]),
    )
    expect(await verifyAudit(rows)).toMatchObject({ ok: true })
  },
)
