import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { textOf } from '../../../src/contract/message.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import { DIALECTS, type DialectName } from '../../../src/stream/dialects.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { contentsOf, memoriesOf, rememberingSegno } from './support.ts'

const TEXT = 'Noted 😀. [Remember: zanzibar tea] And [1]. [ REMEMBER:zanzibar cake ]'
const CLEAN = 'Noted 😀. And [1]. '

/** A round with everything that its readers are sent, in every dialect, and its pulses. */
async function watched(it: SegnoUnderTest, message: string, protocol: Protocol) {
  const { segno, sessionId } = it
  const { seq } = await segno.sessions.get(LOCAL_OWNER, sessionId)
  const pulses: { offset: number; text: string }[] = []
  const { promise: isHeard, resolve: hear } = Promise.withResolvers<void>()
  const following = (async () => {
    // It begins with what is stored already: once that has come, no pulse is missed.
    for await (const frame of segno.follow(sessionId, { after: seq - 1 })) {
      hear()
      if (frame.kind === 'pulse' && frame.pulse.type === 'delta' && frame.pulse.kind === 'text')
        pulses.push(frame.pulse)
      if (frame.kind === 'event' && frame.event.type === 'round.ended' && frame.event.seq > seq) return
    }
  })()
  await Promise.race([isHeard, following])
  const { requestId, completion } = await it.send(message, { protocol })
  const where = { sessionId, requestId, workspaceId: 'p', outputs: true }
  const sent = (Object.keys(DIALECTS) as DialectName[]).map(async (dialect) =>
    JSON.stringify(await Array.fromAsync(segno.stream(LOCAL_OWNER, { ...where, dialect }))),
  )
  await following
  await completion
  const events = (await it.events()).filter((event) => event.requestId === requestId)
  return { pulses, sent: (await Promise.all(sent)).join('\n'), answers: said(events, 'message.assistant') }
}

const TAG = /\[\s{0,9}remember\s{0,9}:/i

describe.each(['unified', 'triggered'] as const)('a tag in a %s round', (protocol) => {
  verifies('GOV-18', 'is never seen, wherever the provider splits it', async () => {
    const it = await rememberingSegno({
      script: {
        scenarios: Array.from({ length: TEXT.length }, (_, at) => ({
          when: `split ${at + 1} `,
          turns: [{ text: TEXT, deltaChars: at + 1, delayMs: 1 }],
        })),
      },
    })
    for (let chars = 1; chars <= TEXT.length; chars += 1) {
      const { pulses, sent, answers } = await watched(it, `split ${chars} `, protocol)
      expect(answers.map(({ content }) => textOf(content))).toEqual([CLEAN])
      expect(answers[0]?.remembers).toEqual([{ content: 'zanzibar tea' }, { content: 'zanzibar cake' }])
      expect(sent).toContain('Noted')
      expect(sent).not.toMatch(TAG)
      let offset = 0
      for (const pulse of pulses) {
        expect(pulse.offset).toBe(offset)
        offset += pulse.text.length
      }
      expect(pulses.map(({ text }) => text).join('')).toBe(CLEAN)
    }
    const { body } = await ask(it, 'GET', `/api/sessions/${it.sessionId}/messages`)
    expect(JSON.stringify(body)).toContain('Noted')
    const page = await it.segno.eventPage(LOCAL_OWNER, { sessionId: it.sessionId, after: 0, limit: 200, outputs: true })
    for (const as of ['markdown', 'jsonl'] as const) {
      const file = (await Array.fromAsync(await it.segno.exportSession(LOCAL_OWNER, it.sessionId, as))).join('')
      expect(file).toContain('Noted')
      expect(file).not.toMatch(TAG)
    }
    expect(JSON.stringify([body, page])).not.toMatch(TAG)
    // The conversation as the model reads it; how to write a tag is in the layers before.
    expect(JSON.stringify(it.requests.at(-1)?.prompt.filter(({ role }) => role === 'assistant'))).not.toMatch(TAG)
    await expect.poll(async () => contentsOf(await memoriesOf(it))).toEqual(['zanzibar tea', 'zanzibar cake'])
  })

  test('that never ends is text, from the 300th character on or with the end of the answer', async () => {
    const long = `[REMEMBER: ${'long '.repeat(80)}`
    const it = await rememberingSegno({
      script: {
        scenarios: [{ when: 'long', turns: [{ text: long, deltaChars: 7, delayMs: 1 }] }],
        otherwise: { text: 'So [REMEM' },
      },
    })
    for (const [message, text] of [
      ['long', long],
      ['short', 'So [REMEM'],
    ] as const) {
      const { pulses, answers } = await watched(it, message, protocol)
      expect(answers.map(({ content }) => textOf(content))).toEqual([text])
      expect(pulses.map((pulse) => pulse.text).join('')).toBe(text)
    }
    expect(await memoriesOf(it)).toEqual([])
  })

  verifies('GOV-18', 'is cut out and dropped where the user does not allow it', async () => {
    const it = await segnoUnderTest({ turns: [{ text: TEXT, deltaChars: 3 }], repeat: true })
    const { events } = await it.ask('Hello', { protocol })
    await it.segno.preferences.put(LOCAL_OWNER, { allowMemory: false })
    const { events: more } = await it.ask('Hello', { protocol })
    for (const answer of said([...events, ...more], 'message.assistant')) {
      expect(textOf(answer.content)).toBe(CLEAN)
      expect(answer.remembers).toBeUndefined()
    }
    expect(JSON.stringify(it.requests)).not.toMatch(TAG)
  })

  test('before a call is cut out too, and the round goes on', async () => {
    const it = await rememberingSegno({
      tools: [probe('look')],
      turns: [{ text: 'I look [REMEMBER: likes foxes]', calls: [{ name: 'look' }], deltaChars: 2 }, { text: 'Done.' }],
    })
    const { events } = await it.ask('Hello', { protocol })
    const answers = said(events, 'message.assistant')
    expect(answers.map(({ content }) => textOf(content))).toEqual(['I look ', 'Done.'])
    expect(answers.map(({ remembers = [] }) => remembers)).toEqual([[{ content: 'likes foxes' }], []])
    await expect.poll(async () => contentsOf(await memoriesOf(it))).toEqual(['likes foxes'])
  })

  test('alone is answered for by Segno', async () => {
    const it = await rememberingSegno({ turns: [{ text: '[REMEMBER: likes foxes]' }] })
    const { events } = await it.ask('Hello', { protocol })
    expect(said(events, 'message.assistant')[0]).toMatchObject({
      own: true,
      content: [{ text: 'Noted.' }],
      remembers: [{ content: 'likes foxes' }],
    })
  })
})
