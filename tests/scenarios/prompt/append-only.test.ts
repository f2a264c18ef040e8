import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { conversations, lastWords, wordsIn } from '../session/support/talk.ts'

const look = probe('look', { run: ({ n }) => `Shelf ${Number(n)}.` })
const opening: Opening = {
  // A summary is one of the few things after which everything is sent anew.
  limits: { HISTORY_MESSAGES: 0 },
  tools: [look],
  script: {
    scenarios: [
      {
        when: '[037]\\.$',
        turns: [
          { text: 'Let me see.', calls: [{ name: 'look', args: { n: 1 } }] },
          {
            calls: [
              { name: 'look', args: { n: 2 } },
              { name: 'nothing', args: { n: 3 } },
            ],
          },
          { text: 'Seen.' },
        ],
      },
      { when: '5\\.$', turns: [{ calls: [{ name: 'look', args: { n: 4 } }] }], repeat: true },
    ],
    otherwise: { text: 'Noted: {{message}}' },
  },
}
const JUNE = Date.UTC(2026, 5, 1, 12)
const HOUR = 3_600_000

/** One text for each message, in the order they are sent; marks for caches do not count. */
const piecesOf = ({ prompt }: LanguageModelV4CallOptions): string[] =>
  prompt.map(({ providerOptions: _, ...message }) => JSON.stringify(message))

describe('what a provider is sent', () => {
  verifies('GOV-22', 'begins in a unified session with everything it was sent before', async () => {
    let now = JUNE
    const it = await segnoUnderTest({ ...opening, clock: { now: () => now } })
    for (let n = 0; n < 12; n += 1) {
      await it.ask(`Message ${n}.`, { mode: n % 4 === 1 ? 'plan' : 'act' })
      now += 5 * HOUR
      if (n === 6) await it.segno.sessions.change(LOCAL_OWNER, it.sessionId, { title: 'Shelves' })
    }
    const all = conversations(it).map(piecesOf)
    expect(all.length).toBeGreaterThan(20)
    for (const [at, next] of all.slice(1).entries())
      expect(next.slice(0, all[at]?.length), `request ${at + 2}`).toEqual(all[at])
  })

  verifies('GOV-22', 'is the same to the byte after a restart', async () => {
    const it = await segnoUnderTest(opening)
    for (let n = 0; n < 8; n += 1) await it.ask(`Message ${n}.`)
    const before = piecesOf(conversations(it).at(-1) as LanguageModelV4CallOptions)
    await it.reopen({ limits: { HISTORY_MESSAGES: 0, SNAPSHOT_EVENTS: 1 } })
    await it.ask('Message 8.')
    const [after] = conversations(it).map(piecesOf)
    expect(after?.slice(0, before.length)).toEqual(before)
  })

  verifies('GOV-22', 'keeps its bytes in a triggered session up to the round that ended last', async () => {
    const it = await segnoUnderTest(opening)
    /** what came before the message of each round */
    let earlier: string[] = []
    for (let n = 0; n < 12; n += 1) {
      const before = conversations(it).length
      await it.ask(`Message ${n}.`, { protocol: 'triggered' })
      const requests = conversations(it).slice(before)
      const [first] = requests
      const said = (first?.prompt ?? []).findLastIndex(({ role }) => role === 'user')
      for (const request of requests) expect(piecesOf(request).slice(0, earlier.length)).toEqual(earlier)
      earlier = piecesOf(first as LanguageModelV4CallOptions).slice(0, said)
    }
    expect(earlier.length).toBeGreaterThan(20)
  })
})

describe('what Segno tells a model', () => {
  const dates = (text: string): string[] => text.match(/Today is [^.]*\./g) ?? []

  verifies('GOV-22', 'of the date it tells once a day, with the first message of the day', async () => {
    let now = JUNE
    const it = await segnoUnderTest({ ...opening, clock: { now: () => now } })
    for (let n = 1; n <= 6; n += 1) {
      await it.ask(`Message ${n * 10 + 1}.`)
      now += 9 * HOUR
    }
    expect(dates(lastWords(it))).toEqual([
      'Today is Monday, 1 June 2026 (UTC).',
      'Today is Tuesday, 2 June 2026 (UTC).',
      'Today is Wednesday, 3 June 2026 (UTC).',
    ])
    const words = lastWords(it)
    expect(words.indexOf('2 June')).toBeLessThan(words.indexOf('Message 31.'))
    expect(words.indexOf('2 June')).toBeGreaterThan(words.indexOf('Message 21.'))
  })

  verifies('GOV-22', 'it tells again if the message it was told with is gone', async () => {
    const it = await segnoUnderTest({ ...opening, clock: { now: () => JUNE } })
    const { events } = await it.ask('Message 1.')
    await it.ask('Message 2.')
    expect(dates(lastWords(it))).toHaveLength(1)
    const message = events.find(({ type }) => type === 'message.user')
    await it.segno.sessions.deleteMessage(LOCAL_OWNER, it.sessionId, message?.id ?? '')
    await it.ask('Message 4.')
    expect(dates(lastWords(it))).toHaveLength(1)
    await it.segno.sessions.clear(LOCAL_OWNER, it.sessionId)
    await it.ask('Message 6.')
    expect(dates(lastWords(it))).toHaveLength(1)
  })

  verifies(['GOV-22', 'PHA-12'], 'of the mode it tells when it changes', async () => {
    const it = await segnoUnderTest(opening)
    for (const mode of ['act', 'plan', 'plan', 'act', 'act'] as const) await it.ask('Message 1.', { mode })
    const told = conversations(it).map((request) => wordsIn(request).match(/This conversation is in [^\]]*/g) ?? [])
    expect(told.map(({ length }) => length)).toEqual([1, 2, 2, 3, 3])
    expect(told.at(-1)?.map((text) => text.includes('only for planning'))).toEqual([false, true, false])
  })

  for (const protocol of ['unified', 'triggered'] as const)
    verifies(
      ['GOV-22', 'REL-2'],
      `${protocol}: of a call that a person settled it tells in the next round, once`,
      async () => {
        const pay = probe('pay', {
          effect: 'unsafe',
          approval: 'auto',
          run: () => Promise.reject(Object.assign(new Error('the line went dead'), { effect: 'unknown' })),
        })
        const it = await segnoUnderTest({
          tools: [pay],
          script: {
            scenarios: [{ when: '^Pay', turns: [{ calls: [{ name: 'pay' }] }, { text: 'Who knows.' }] }],
            otherwise: { text: 'Fine.' },
          },
        })
        const { events } = await it.ask('Pay them.', { protocol })
        const { callId } = said(events, 'tool.result')[0] ?? { callId: '' }
        const sentence = `Call ${callId} had an unknown outcome. A person looked: it did happen.`
        await it.segno.rounds.reconcile(LOCAL_OWNER, callId, true)
        expect(lastWords(it)).not.toContain(sentence)
        const next = await it.ask('And now?', { protocol })
        expect(lastWords(it)).toContain(sentence)
        expect(said(next.events, 'turn.started')[0]?.added).toMatchObject([{ id: 'notice', text: sentence }])
        await it.reopen()
        await it.ask('Thanks.', { protocol })
        expect(lastWords(it).split(sentence)).toHaveLength(2)
      },
    )
})
