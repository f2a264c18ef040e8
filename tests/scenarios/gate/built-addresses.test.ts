import { expect, onTestFinished, test } from 'vitest'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { probe } from '../../support/probe-tool.ts'
import { tempHome } from '../library/support/open-segno.ts'

/** A round that reads something and then asks for an address; which events were stored together. */
async function commitsOf(message: string): Promise<string[][]> {
  const commits: string[][] = []
  const url = 'https://docs.example.org/start'
  const turns = [{ calls: [{ name: 'read' }] }, { calls: [{ name: 'get', args: { url } }] }, { text: 'Done.' }]
  const segno = await composeUnderTest(
    {
      home: tempHome(),
      env: {},
      builtInTools: false,
      tools: [probe('read', { own: false }), probe('get', { reach: ['address'], normalise: { url: 'url' } })],
      model: { scenarios: [{ when: '', turns }] },
    },
    {
      store: (open) => {
        const store = open()
        return {
          ...store,
          commit(change) {
            commits.push(change.events.map((event) => `${event.type} ${(event.data as { name?: string }).name ?? ''}`))
            return store.commit(change)
          },
        }
      },
    },
  )
  onTestFinished(() => segno.close())
  const { id } = await segno.createSession()
  await (
    await segno.streamRequest(id, message)
  ).completion
  return commits.filter((types) => types.includes('tool.started get'))
}

test('what a model puts into an address is on record before it is sent, so that it counts after a crash', async () => {
  expect(await commitsOf('Go.')).toEqual([expect.not.arrayContaining(['tool.result get'])])
})

test('an address that the user named counts for nothing, and its start waits for its result', async () => {
  const [commit] = await commitsOf('Go to https://docs.example.org/start.')
  expect(commit).toContain('tool.result get')
})
