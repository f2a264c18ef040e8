import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { event, invocation, revised, run } from '../conformance/store/automation-facts.ts'
import { onSearchedServer } from '../support/postgres/searched-server.ts'

const NAMES = ['input', 'output', 'raw', 'error', 'named', 'untold'] as const

/** Words of this test alone, such that the server cannot store them any shorter. */
const canaries = (): Record<(typeof NAMES)[number], string> =>
  Object.fromEntries(NAMES.map((name) => [name, `canary${name}${randomBytes(12).toString('hex')}`])) as never

/** Stores a run in all its states and an event that was not told yet. */
async function fill(store: Store, words: ReturnType<typeof canaries>): Promise<void> {
  const text = { text: `${words.input} ${randomBytes(2000).toString('hex')}` }
  const [begun] = await run(store, invocation({ input: text }))
  if (!begun) throw new Error('nothing was stored')
  const { output, raw, error, named: engineRef } = words
  const failed = revised(begun, { status: 'failure', endedAt: 2, raw, error, engineRef })
  await store.changeInvocation(failed)
  await store.changeInvocation(revised(failed, { status: 'success', output: { text: output } }))
  await store.addOutbox(event({ userId: 'ada', payload: { text: words.untold } }))
}

test('nothing of what runs of a user were given is left in any file of the server after VACUUM FULL', async () => {
  await onSearchedServer(async ({ store, found, vacuum }) => {
    const words = canaries()
    await fill(store, words)
    expect(await found(words)).toEqual([...NAMES])
    await store.eraseInvocations('acme', 'ada')
    await vacuum()
    expect(await found(words)).toEqual([])
  })
})
