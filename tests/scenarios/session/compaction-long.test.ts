import { expect } from 'vitest'
import { forgetUnshown } from '../../../src/context/index.ts'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { close, emptySession, evolve, toMessages } from '../../../src/session/index.ts'
import { append } from '../../properties/invariants/append.ts'
import { continued, refusals } from '../../properties/invariants/refusals.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { STORE } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { CUT_MARK, conversations, FILLER, lastWords, wordsIn } from './support/talk.ts'

/** Over a network, each takes several times as long. */
const EXCHANGES = STORE === 'sqlite' ? 2000 : 500
const WINDOW = 8000
const FACT = 'The code of the safe is 7315.'

verifies(
  ['LIN-7', 'LIN-5'],
  `${EXCHANGES} exchanges with a model that sees 8,000 tokens never fail, and each makes at most one summary`,
  async () => {
    const it = await segnoUnderTest({
      tools: [probe('look', { run: ({ n }) => `Shelf ${Number(n)}: ${FILLER}` })],
      script: {
        scenarios: [
          { when: '[05]$', turns: [{ calls: [{ name: 'look', args: { n: 1 } }] }, { text: `Seen. ${FILLER}` }] },
          {
            when: '7$',
            turns: [
              {
                calls: [
                  { name: 'look', args: { n: 2 } },
                  { name: 'look', args: { n: 3 } },
                ],
              },
              { text: `Both. ${FILLER}` },
            ],
          },
        ],
        otherwise: { text: `Noted. ${FILLER}` },
      },
      entry: (model) => ({ ...model, window: WINDOW, maxOutput: 1000 }),
    })
    await it.ask(FACT)
    for (let n = 1; n < EXCHANGES; n += 1) {
      const protocol = n % 3 === 0 ? 'triggered' : 'unified'
      const round = await it.send(`${FILLER} ${n}`, { protocol })
      expect((await round.completion).finishReason, `exchange ${n}`).toBe('complete')
    }
    expect(lastWords(it), 'kept by every summary since').toContain(FACT)
    for (const request of conversations(it)) expect(wordsIn(request)).not.toContain(CUT_MARK)

    const log = await it.events()
    const asks = log.filter(({ type }) => type === 'model.asked').map(({ requestId }) => requestId)
    expect(new Set(asks).size).toBe(asks.length)
    expect(said(log, 'model.answered').filter(({ failed }) => failed !== undefined)).toEqual([])
    expect(said(log, 'compact.summary').length).toBe(asks.length)
    expect(asks.length).toBeGreaterThan(EXCHANGES / 40)
    expect(faultsOfPrefixes(log)).toEqual([])
  },
  600_000,
)

/** Cut off anywhere and closed, it rebuilds to what every provider takes. */
function faultsOfPrefixes(log: readonly StoredEvent[]): string[] {
  const state = emptySession()
  return log.flatMap((event) => {
    evolve(state, event)
    forgetUnshown(state.history, { messages: 50, tokens: WINDOW })
    const closed = structuredClone(state)
    append(closed, close(closed.round, 'cancelled'))
    return refusals(continued(toMessages(closed.history)), `after event ${event.seq}`)
  })
}
