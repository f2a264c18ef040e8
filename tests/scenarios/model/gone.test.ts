import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno, tempHome } from '../library/support/open-segno.ts'
import { eventually } from '../library/support/eventually.ts'

verifies(
  'LIN-3',
  'a round whose model is gone after a restart ends and says why, and the session goes on',
  async () => {
    const home = tempHome()
    const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
    const script = {
      scenarios: [{ when: '^Send', turns: [{ calls: [{ name: 'mail' }] }, { text: 'Sent.' }] }],
      otherwise: { text: 'Fine.' },
    }
    const before = await openSegno({ home, tools: [mail], model: script })
    const { id } = await before.createSession()
    const { requestId } = await before.streamRequest(id, 'Send it.')
    await eventually(async () => (await before.rounds.approvals(LOCAL_OWNER, 'pending')).length === 1)
    await before.close()

    let isBack = false
    const after = await openSegno(
      { home, tools: [mail], model: script },
      {
        deps: (deps) => ({
          ...deps,
          model(key) {
            if (isBack) return deps.model(key)
            throw new Problem('VALIDATION_ERROR', 'The model cannot be used: its key is not set.')
          },
        }),
      },
    )
    const [approval] = await after.rounds.approvals(LOCAL_OWNER, 'pending')
    await after.rounds.decide(LOCAL_OWNER, approval?.id ?? '', { decision: 'approve' })
    const { finishReason, error } = await after.completion(id, requestId)
    expect([finishReason, error]).toEqual([
      'error',
      'The model call failed: The model cannot be used: its key is not set.',
    ])
    isBack = true
    const { completion } = await after.streamRequest(id, 'And now?')
    expect((await completion).finishReason).toBe('complete')
  },
)
