import { expect, onTestFinished } from 'vitest'
import { tempHome } from '../library/support/open-segno.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

for (const protocol of ['unified', 'triggered'] as const) {
  verifies(['LIN-2', 'REL-1'], `${protocol}: while a slow pure call runs, its turn is stored and shown`, async () => {
    const look = gateTool('look')
    const segno = await segnoUnderTest({
      tools: [look],
      turns: [{ text: 'Let me look.', calls: [{ name: 'look' }] }, { text: 'Found.' }],
    })
    const round = await segno.send('Go.', { protocol })
    const { data } = await segno.until('tool.started')
    expect(data.effect).toBe('pure')
    expect(said(await segno.events(), 'message.assistant')[0]?.content[0]).toEqual({
      type: 'text',
      text: 'Let me look.',
    })
    look.open()
    expect((await round.completion).finishReason).toBe('complete')
  })
}

verifies(
  ['LIN-2', 'REL-4'],
  'a model whose slow pure call dies with the process is not asked the same again',
  async () => {
    const look = gateTool('look')
    const turns = [{ text: 'Let me look.', calls: [{ name: 'look' }] }, { text: 'Found.' }]
    const segno = await segnoUnderTest({ tools: [look], turns })
    await segno.send()
    await segno.until('tool.started')
    const again = probe('look')
    await segno.reopen({ tools: [again] })
    await segno.until('round.ended')
    expect(again.runs).toHaveLength(1)
    // Only the answer is still to be had: what the model said before is in the log.
    expect(segno.requests).toHaveLength(1)
    expect(said(await segno.events(), 'message.assistant')).toHaveLength(2)
  },
)

verifies('LIN-2', 'a fast pure call costs no commit of its own', async () => {
  const commits: string[][] = []
  const segno = await composeUnderTest(
    {
      home: tempHome(),
      env: {},
      builtInTools: false,
      tools: [probe('look')],
      model: { scenarios: [{ when: '', turns: [{ calls: [{ name: 'look' }] }, { text: 'Found.' }] }] },
    },
    {
      store: (open) => {
        const store = open()
        return {
          ...store,
          commit(change) {
            commits.push(change.events.map(({ type }) => type))
            return store.commit(change)
          },
        }
      },
    },
  )
  onTestFinished(() => segno.close())
  const { id } = await segno.createSession()
  await (
    await segno.streamRequest(id, 'Go.')
  ).completion
  const [withStart] = commits.filter((types) => types.includes('tool.started'))
  expect(withStart).toContain('tool.result')
})
