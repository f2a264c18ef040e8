import { expect, test } from 'vitest'
import { fold } from '../session/index.ts'
import { eventLog, fact } from '../../tests/support/event-log.ts'
import { foldStored } from './fold-stored.ts'

test('a long log is folded in steps, with everything else in between, to what it would be at once', async () => {
  const { store, append, sessionId } = await eventLog()
  for (let i = 0; i < 50; i++)
    await append(...Array.from({ length: 100 }, () => fact('notice', { text: 'x'.repeat(100), reason: 'y' }, null)))
  let turns = 0
  const turn = (): void => {
    turns += 1
    timer = setImmediate(turn)
  }
  let timer = setImmediate(turn)
  const state = await foldStored(store, sessionId)
  clearImmediate(timer)
  expect(turns).toBeGreaterThanOrEqual(4)
  expect(state).toEqual(fold(await store.read(sessionId)))
})

test('a session that is not there is an empty one', async () => {
  const { store } = await eventLog()
  expect(await foldStored(store, 'nobody')).toEqual(fold([]))
})
