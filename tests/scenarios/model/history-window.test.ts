import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

type Request = LanguageModelV4CallOptions | undefined

const LEFT_OUT = '[From Segno, not from the user: Earlier messages of this conversation are left out here.]'
const isSegnos = (text: string): boolean => text.startsWith('[From Segno, not from the user: ')

/** The conversation of a request as one line per user text, assistant message and result, without Segno's own words. */
function conversation(request: Request): string[] {
  return (request?.prompt ?? []).flatMap((message) => {
    if (message.role === 'system') return []
    if (message.role === 'tool') return message.content.map(() => 'result')
    const texts = message.content.map((part) => ('text' in part ? part.text : part.type))
    return [`${message.role} ${texts.filter((text) => !isSegnos(text)).join()}`]
  })
}

/** Where in a request the model is told that something is missing: the number of the message and of its part. */
function marks(request: Request): string[] {
  const messages = (request?.prompt ?? []).filter((message) => message.role !== 'system')
  return messages.flatMap(({ content }, at) =>
    content.flatMap((part, n) =>
      'text' in part && part.text.includes('left out here') ? [`${at}.${n} ${part.text}`] : [],
    ),
  )
}

async function talk(segno: SegnoUnderTest, rounds: number): Promise<void> {
  for (let n = 1; n <= rounds; n++) await segno.ask(`Message ${n}`)
}

/** Nothing is summarised, so that what is too much is cut. */
const CUT = { COMPACT_PERCENT: 0 }
const echo: Opening = { script: { otherwise: { text: 'Echo {{message}}' } } }
const toolUser: Opening = {
  tools: [probe('look')],
  turns: [
    {
      calls: [
        { name: 'look', args: { n: 1 } },
        { name: 'look', args: { n: 2 } },
      ],
    },
    { text: 'Seen.' },
  ],
}

verifies('ORC-6', 'the model sees at most 50 messages, and always the last one', async () => {
  const segno = await segnoUnderTest({ ...echo, limits: CUT })
  await talk(segno, 60)
  const seen = segno.requests.map(conversation)
  expect(Math.max(...seen.map(({ length }) => length))).toBeLessThanOrEqual(50)
  expect(seen.map((lines) => lines.at(-1))).toEqual(seen.map((_, n) => `user Message ${n + 1}`))
  expect(seen[24]).toHaveLength(49)
})

verifies('ORC-6', 'what is over is cut to about half, and that cut holds until it is over again', async () => {
  const segno = await segnoUnderTest({ ...echo, limits: { ...CUT, HISTORY_MESSAGES: 10 } })
  await talk(segno, 14)
  const sizes = segno.requests.map((request) => conversation(request).length)
  expect(sizes).toEqual([1, 3, 5, 7, 9, 5, 7, 9, 5, 7, 9, 5, 7, 9])
  const firsts = segno.requests.map((request) => conversation(request)[0])
  expect(new Set(firsts).size).toBe(4)
})

verifies('ORC-6', 'a cut is marked where the conversation begins, once, and only if something is missing', async () => {
  const segno = await segnoUnderTest({ ...echo, limits: { ...CUT, HISTORY_MESSAGES: 10 } })
  await talk(segno, 14)
  const marked = segno.requests.map(marks)
  expect(marked).toEqual([
    ...Array.from({ length: 5 }, () => []),
    ...Array.from({ length: 9 }, () => [`0.0 ${LEFT_OUT}`]),
  ])
})

verifies('ORC-6', 'what would be cut is summarised instead, unless that is off', async () => {
  const script = {
    scenarios: [{ when: '', purpose: 'summary', turns: [{ text: 'They counted.' }] }],
    otherwise: { text: 'Echo {{message}}' },
  } as const
  const segno = await segnoUnderTest({ script, limits: { HISTORY_MESSAGES: 10 } })
  await talk(segno, 5)
  const [first] = said(await segno.events(), 'compact.summary')
  expect(first).toMatchObject({ text: 'They counted.', model: 'scripted' })
  const last = segno.requests.at(-1)
  expect(conversation(last)[0]).toMatch(/^user .*<untrusted-data (\S+)>\nThey counted\.\n<\/untrusted-data \1>/s)
  expect(conversation(last).at(-1)).toBe('user Message 5')
  expect(conversation(last).join()).not.toContain('Message 1')
  expect(marks(last)).toEqual([])
  await talk(segno, 20)
  expect(Math.max(...segno.requests.map((request) => conversation(request).length))).toBeLessThanOrEqual(10)
  expect(segno.requests.flatMap(marks)).toEqual([])
})

verifies('ORC-6', 'without a number of messages only the tokens count', async () => {
  const segno = await segnoUnderTest({ ...echo, limits: { HISTORY_MESSAGES: 0 } })
  await talk(segno, 40)
  expect(conversation(segno.requests.at(-1))).toHaveLength(79)
  expect(said(await segno.events(), 'compact.summary')).toEqual([])
})

verifies('ORC-6', 'where the shown history begins is recorded with the turn', async () => {
  const segno = await segnoUnderTest({ ...echo, limits: { ...CUT, HISTORY_MESSAGES: 10 } })
  await talk(segno, 14)
  const events = await segno.events()
  const begins = events.flatMap((event) => (event.type === 'turn.started' ? [event.data.from] : []))
  const said = events.filter(({ type }) => type === 'message.user')
  const firsts = begins.map((from) => `user Message ${1 + said.findIndex(({ seq }) => seq === from)}`)
  expect(firsts).toEqual(segno.requests.map((request) => conversation(request)[0]))
})

verifies('ORC-6', 'whole exchanges are cut: no call without its result, no result without its call', async () => {
  const segno = await segnoUnderTest({ ...toolUser, limits: { ...CUT, HISTORY_MESSAGES: 12 } })
  await talk(segno, 8)
  for (const { prompt } of segno.requests) {
    const calls = prompt.flatMap((one) =>
      one.role === 'assistant'
        ? one.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
        : [],
    )
    const results = prompt.flatMap((one) =>
      one.role === 'tool' ? one.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])) : [],
    )
    expect(results).toEqual(calls)
    expect(conversation({ prompt })[0]).toMatch(/^user Message/)
  }
  const sizes = segno.requests.map((request) => conversation(request).length)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(12)
})

verifies('ORC-6', 'the conversation fits the token budget', async () => {
  const segno = await segnoUnderTest({
    script: { otherwise: { text: 'word '.repeat(60) } },
    limits: { ...CUT, CONTEXT_TOKENS: 500 },
  })
  await talk(segno, 12)
  const chars = segno.requests.map((request) => conversation(request).join('').length)
  expect(Math.max(...chars)).toBeLessThanOrEqual(500 * 3)
  expect(conversation(segno.requests.at(-1)).length).toBeGreaterThan(1)
})

verifies('ORC-6', 'the last message stays even if it is larger than the budget', async () => {
  const segno = await segnoUnderTest({ ...echo, limits: { ...CUT, CONTEXT_TOKENS: 10 } })
  await segno.ask('Something before')
  const long = 'long '.repeat(100)
  await segno.ask(long)
  expect(conversation(segno.requests.at(-1))).toEqual([`user ${long}`])
})

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('ORC-6', `${protocol}: inside one huge round the oldest results are shortened and marked`, async () => {
    const segno = await segnoUnderTest({
      tools: [probe('look', { run: ({ n }) => `shelf ${Number(n)}: ${'x'.repeat(3000)} end of ${Number(n)}` })],
      turns: [...[1, 2, 3].map((n) => ({ calls: [{ name: 'look', args: { n } }] })), { text: 'Seen.' }],
      limits: { CONTEXT_TOKENS: 2000 },
    })
    await segno.ask('Go.', { protocol })
    const prompt = JSON.stringify(segno.requests.at(-1)?.prompt)
    const notes = prompt.match(/<untrusted-data .*?<\/untrusted-data /g) ?? []
    expect(notes.map((note) => /shelf \d/.exec(note)?.[0])).toEqual(['shelf 1', 'shelf 2', 'shelf 3'])
    expect(notes.map((note) => note.includes('of this older result left out'))).toEqual([true, true, false])
    expect(notes.map((note) => note.includes('end of'))).toEqual([false, false, true])
  })
}

verifies('ORC-6', 'the log is never trimmed', async () => {
  const segno = await segnoUnderTest({ ...echo, limits: { ...CUT, HISTORY_MESSAGES: 4 } })
  await talk(segno, 8)
  expect(said(await segno.events(), 'message.user')).toHaveLength(8)
  expect(await segno.segno.sessions.messages(LOCAL_OWNER, segno.sessionId)).toHaveLength(16)
})

verifies('ORC-6', 'the log keeps what a summary stands for', async () => {
  const segno = await segnoUnderTest({ ...echo, limits: { HISTORY_MESSAGES: 4 } })
  await talk(segno, 8)
  const events = await segno.events()
  expect(said(events, 'message.user')).toHaveLength(8)
  expect(said(events, 'message.assistant')).toHaveLength(8)
  const summary = events.find(({ type }) => type === 'compact.summary')
  const before = await segno.segno.sessions.messages(LOCAL_OWNER, segno.sessionId, (summary?.seq ?? 0) - 1)
  expect(before[0]?.content).toEqual([{ type: 'text', text: 'Message 1' }])
})

for (const [kind, opening] of Object.entries({ 'plain talk': echo, 'tool use': toolUser })) {
  verifies('ORC-6', `a restart does not move the cut of a conversation with ${kind}`, async () => {
    const beginnings: string[][] = []
    for (const restarts of [false, true]) {
      const segno = await segnoUnderTest({ ...opening, limits: { ...CUT, HISTORY_MESSAGES: 10 } })
      const seen: string[] = []
      for (let n = 1; n <= 10; n++) {
        await segno.ask(`Message ${n}`)
        seen.push(...conversation(segno.requests.at(-1)).slice(0, 1))
        if (restarts) await segno.reopen()
      }
      beginnings.push(seen)
    }
    expect(beginnings[1]).toEqual(beginnings[0])
  })
}
