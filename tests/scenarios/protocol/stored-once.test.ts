import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('LIN-4', `${protocol}: no text is stored twice, whatever follows it in its turn`, async () => {
    const segno = await segnoUnderTest({
      tools: [probe('mail')],
      turns: [
        { text: 'One.', calls: [{ name: 'mail' }] },
        { text: 'Two.', calls: [{ name: 'gone' }] },
        { text: 'Three.' },
      ],
    })
    const { events } = await segno.ask('Go.', { protocol })
    const texts = said(events, 'message.assistant').flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    )
    expect(texts).toEqual(['One.', 'Two.', 'Three.'])
  })
}

verifies(
  'LIN-4',
  'a text cut off by cancelling is stored once and marked, and so is the word that it was',
  async () => {
    const segno = await segnoUnderTest({
      turns: [{ text: 'Once upon a time, there', fault: { kind: 'stall', afterDeltas: 1 } }],
    })
    const round = await segno.send()
    for await (const frame of segno.segno.follow(segno.sessionId)) if (frame.kind === 'pulse') break
    await round.cancel()
    await round.completion
    expect(said(await segno.events(), 'message.assistant')).toMatchObject([
      { content: [{ text: 'Once upon a time' }], interrupted: true, final: false, stopReason: 'cancelled' },
      { content: [{ text: '(Stopped on request.)' }], own: true, final: true },
    ])
  },
)

verifies('LIN-4', 'a turn that brought nothing before it failed stores no message of the model', async () => {
  const segno = await segnoUnderTest({ turns: [{ fault: { kind: 'error', status: 401 } }] })
  const { events } = await segno.ask()
  expect(said(events, 'message.assistant')).toMatchObject([{ own: true, final: true }])
})
