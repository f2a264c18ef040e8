import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { said, segnoUnderTest } from '../support/segno-under-test.ts'
import { verifies } from '../support/verifies.ts'

verifies(
  'GOV-9',
  'a model call that may not be tried again for want of budget ends its round, and says so',
  async () => {
    const { segno, ask } = await segnoUnderTest({
      turns: [{ fault: { kind: 'overloaded' } }, { text: 'Hello again.' }],
      limits: { RETRY_BASE_MS: 1 },
    })
    // Enough for one attempt, not for two at once.
    await segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyTokens: 6000 })
    const { finishReason, content, events } = await ask('hello')
    expect(finishReason).toBe('budget')
    expect(content).toContain('daily budget of tokens')
    expect(said(events, 'turn.retried')).toEqual([])
  },
)
