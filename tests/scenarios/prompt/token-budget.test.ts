import { describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { loadTokenCounter } from '../../../src/model/call/tokens.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { conversations, FILLER, lastWords, talk } from '../session/support/talk.ts'

const WINDOW = 4000
const MAX_OUTPUT = 500
const small: Opening = {
  script: { otherwise: { text: 'Noted.' } },
  entry: (model) => ({ ...model, window: WINDOW, maxOutput: MAX_OUTPUT }),
}
/** Tools whose definitions have about two thousand tokens. */
const wordy = Array.from({ length: 10 }, (_, n) =>
  probe(`tool_${n}`, { description: `Number ${n}. ${'It does what nobody else would do here. '.repeat(24)}` }),
)

describe('what is never cut', () => {
  verifies('GOV-3', 'and does not fit is refused as TOKEN_LIMIT with both sizes, and nothing is stored', async () => {
    const it = await segnoUnderTest(small)
    await it.ask('Hello.')
    const before = await it.events()
    const problem = await problemOf(it.send('A message of many words, which says nothing new. '.repeat(400)))
    expect(problem.code).toBe('TOKEN_LIMIT')
    expect(problem.message).toMatch(
      /The instructions and tools \(\d+ tokens\) and the message \((?:over )?\d+ tokens\)/,
    )
    expect(problem.message).toContain(`the ${WINDOW * 0.8} tokens that scripted can be sent`)
    expect(await it.events()).toEqual(before)
    expect(it.requests).toHaveLength(1)
    expect((await it.ask('And this?')).finishReason).toBe('complete')
  })

  verifies(
    ['GOV-3', 'GOV-31'],
    'is refused over HTTP with its code, and the same message fits a larger model',
    async () => {
      const it = await segnoUnderTest({ ...small, others: { large: (model) => ({ ...model, window: 100_000 }) } })
      const content = 'A message of many words, which says nothing new. '.repeat(400)
      const path = `/api/sessions/${it.sessionId}/messages?wait=1`
      expect(await ask(it, 'POST', path, { content })).toMatchObject({ status: 429, body: { code: 'TOKEN_LIMIT' } })
      expect(await it.events()).toHaveLength(1)
    },
  )

  verifies('GOV-3', 'is the definitions of tools too', async () => {
    const message = FILLER.repeat(9)
    const without = await segnoUnderTest(small)
    expect((await without.ask(message)).finishReason).toBe('complete')
    const it = await segnoUnderTest({ ...small, tools: wordy })
    expect((await problemOf(it.send(message))).code).toBe('TOKEN_LIMIT')
    expect((await it.ask(message, { enableTools: false })).finishReason).toBe('complete')
  })

  verifies('GOV-3', 'is the governed prompt and the preferences, however long the conversation is', async () => {
    const it = await segnoUnderTest({ ...small, tools: wordy.slice(0, 2), systemPrompt: 'You are a fox. '.repeat(60) })
    await it.segno.preferences.put(LOCAL_OWNER, { customInstructions: 'Never say never. '.repeat(60) })
    await talk(it, 15)
    const count = await loadTokenCounter()
    for (const { prompt, tools } of conversations(it)) {
      const system = prompt.filter(({ role }) => role === 'system').map(({ content }) => content as string)
      expect(system.join('\n').split('You are a fox.')).toHaveLength(61)
      expect(system.join('\n').split('Never say never.')).toHaveLength(61)
      expect(count(JSON.stringify([prompt, tools]))).toBeLessThanOrEqual(WINDOW - MAX_OUTPUT)
    }
    expect(lastWords(it)).toContain('Message 15.')
  })

  verifies('GOV-3', 'and does not fit once it is its turn ends the round and says so', async () => {
    const it = await segnoUnderTest({
      ...small,
      script: {
        scenarios: [{ when: '^Slowly', turns: [{ text: FILLER, deltaChars: 20, delayMs: 20 }] }],
        otherwise: { text: 'Noted.' },
      },
    })
    const slow = await it.send('Slowly now.')
    await it.until('turn.started')
    const next = await it.send('A message of many words, which says nothing new. '.repeat(400))
    await slow.completion
    expect(await next.completion).toMatchObject({ finishReason: 'error' })
    const ended = (await it.events()).findLast((event) => event.type === 'round.ended')
    expect(ended).toMatchObject({ data: { error: expect.stringContaining('do not fit into') as string } })
    expect((await it.ask('And this?')).finishReason).toBe('complete')
  })
})

describe('a conversation', () => {
  verifies(
    'GOV-3',
    'gets what instructions, tools and the longest answer leave of the window, newest first',
    async () => {
      const lengths: number[] = []
      for (const tools of [[], wordy.slice(0, 5)]) {
        const it = await segnoUnderTest({ ...small, tools, limits: { COMPACT_PERCENT: 0 } })
        await talk(it, 30)
        lengths.push(Math.max(...conversations(it).map(({ prompt }) => prompt.length)))
        expect(lastWords(it)).toContain('Message 30.')
        expect(lastWords(it)).not.toContain('Message 1.')
        const { requestId } = await it.ask('And now?')
        const { body } = await ask(it, 'GET', `/api/rounds/${requestId}/prompt`)
        expect(body['leftOut']).toMatchObject([
          {
            what: expect.stringMatching(/^\d+ earlier messages$/) as string,
            why: expect.stringContaining('window') as string,
          },
        ])
      }
      expect(lengths[1]).toBeLessThan(lengths[0] ?? 0)
    },
  )

  for (const protocol of ['unified', 'triggered'] as const)
    verifies(
      'GOV-3',
      `${protocol}: has the older results of a huge round shortened, and /prompt names their calls`,
      async () => {
        const it = await segnoUnderTest({
          ...small,
          tools: [probe('look', { run: ({ n }) => `Shelf ${Number(n)}. ${FILLER.repeat(6)}` })],
          turns: [1, 2, 3, 4]
            .map((n) => ({ calls: [{ name: 'look', args: { n } }] }))
            .concat([{ text: 'Seen.' } as never]),
          script: {
            scenarios: [
              {
                when: '',
                turns: [...[1, 2, 3].map((n) => ({ calls: [{ name: 'look', args: { n } }] })), { text: 'Seen.' }],
              },
            ],
          },
        })
        const { requestId, events, finishReason } = await it.ask('Look.', { protocol })
        expect(finishReason).toMatch(/complete|tool_limit/)
        const calls = said(events, 'tool.result').map(({ callId }) => callId)
        const turn = said(events, 'turn.started').at(-1)?.turn ?? 0
        const { body } = await ask(it, 'GET', `/api/rounds/${requestId}/prompt?turn=${turn}`)
        const left = body['leftOut'] as { what: string; why: string }[]
        expect(left.length).toBeGreaterThan(0)
        expect(left[0]).toMatchObject({ what: `most of the result of call ${calls[0]}` })
        expect(left.some(({ what }) => what.includes(String(calls.at(-1))))).toBe(false)
      },
    )
})
