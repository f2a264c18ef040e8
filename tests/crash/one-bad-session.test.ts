import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { composeUnderTest } from '../support/compose-under-test.ts'
import { setStage } from './stage.ts'

test('a session that cannot be opened does not keep the others from going on', async () => {
  const { home } = await setStage()
  const options = { home, env: {}, builtInTools: false, limits: { DRAIN_MS: 0 } }
  const script = { scenarios: [{ when: '^slow', turns: [{ text: 'slowly, slowly, slowly', delayMs: 200 }] }] }
  const before = await composeUnderTest({ ...options, model: script })
  const [bad, good] = [await before.createSession(), await before.createSession()]
  await before.rounds.send(LOCAL_OWNER, bad.id, 'slow')
  const { requestId } = await before.rounds.send(LOCAL_OWNER, good.id, 'slow')
  await before.close()

  const unreadable: string[] = []
  const after = await composeUnderTest(options, {
    store(open) {
      const store = open()
      const readSlice: typeof store.readSlice = async (id, ...more) => {
        if (id !== bad.id) return store.readSlice(id, ...more)
        unreadable.push(id)
        throw new Error('this log cannot be read')
      }
      return { ...store, readSlice }
    },
  })
  expect(await after.completion(good.id, requestId)).toMatchObject({ finishReason: 'complete' })
  expect(unreadable).not.toEqual([])
  await after.close()
})
