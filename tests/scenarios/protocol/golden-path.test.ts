import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe, text } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const QUESTION = 'Fetch the npm page for lodash'
const URL = 'https://www.npmjs.com/package/lodash'
const script = {
  scenarios: [
    {
      when: 'fetch .*lodash',
      turns: [
        { text: 'Looking it up.', calls: [{ name: 'web_fetch', args: { url: URL } }] },
        { text: 'Lodash is a utility library.' },
      ],
    },
  ],
}
const webFetch = () => probe('web_fetch', { run: ({ url }) => `the page at ${text(url)}` })

for (const protocol of ['unified', 'triggered'] as const) {
  verifies(['ORC-12', 'ORC-1'], `${protocol}: goes from the message over web_fetch to the answer`, async () => {
    const tool = webFetch()
    const segno = await segnoUnderTest({ script, tools: [tool] })
    const answer = await segno.ask(QUESTION, { protocol })
    expect(answer).toMatchObject({ content: 'Lodash is a utility library.', finishReason: 'complete' })
    expect(answer.calls).toMatchObject([{ name: 'web_fetch', outcome: 'ok', effect: 'none' }])
    expect(tool.runs.map(({ args }) => args)).toEqual([{ url: URL }])
  })

  verifies('ORC-7', `${protocol}: keeps the message, the use, its result and the answer in the history`, async () => {
    const segno = await segnoUnderTest({ script, tools: [webFetch()] })
    await segno.ask(QUESTION, { protocol })
    const messages = await segno.segno.sessions.messages(LOCAL_OWNER, segno.sessionId)
    const id = expect.any(String) as string
    expect(messages.map(({ role, content }) => ({ role, content }))).toEqual([
      { role: 'user', content: [{ type: 'text', text: QUESTION }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking it up.' },
          expect.objectContaining({
            type: 'tool_use',
            id,
            name: 'web_fetch',
            input: { url: URL },
            providerId: 'call_1',
          }),
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: `the page at ${URL}`, is_error: false }],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Lodash is a utility library.' }] },
    ])
    const [use, result] = [messages[1]?.content[1], messages[2]?.content[0]]
    expect(use).toHaveProperty('id', (result as { tool_use_id: string }).tool_use_id)
  })

  verifies('ORC-1', `${protocol}: opens a new model stream for every turn`, async () => {
    const streams: ReadableStream[] = []
    const segno = await segnoUnderTest({
      script,
      tools: [webFetch()],
      model: (scripted) => ({
        ...scripted,
        async doStream(options) {
          const result = await scripted.doStream(options)
          streams.push(result.stream)
          return result
        },
      }),
    })
    const { events } = await segno.ask(QUESTION, { protocol })
    expect(said(events, 'turn.started').map(({ turn }) => turn)).toEqual([1, 2])
    expect(new Set(streams).size).toBe(2)
  })

  verifies('ORC-7', `${protocol}: stores the answer whole, however small the pieces it came in`, async () => {
    const whole = 'Ünïcode 👩‍👩‍👧 and 😀😀, all of it.'
    const segno = await segnoUnderTest({ turns: [{ text: whole, deltaChars: 1 }] })
    const { content, events } = await segno.ask('Say it.', { protocol })
    expect(content).toBe(whole)
    expect(said(events, 'message.assistant')).toMatchObject([{ content: [{ type: 'text', text: whole }], final: true }])
  })
}
