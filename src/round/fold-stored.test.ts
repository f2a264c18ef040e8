import { expect, test } from 'vitest'
import { fold } from '../session/index.ts'
import { eventLog, fact } from '../../tests/support/event-log.ts'
import { findStored, foldStored, foldStoredUpTo } from './fold-stored.ts'

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

test('a long log is folded up to an event, by number or id, and searched in the same steps', async () => {
  const { store, append, sessionId } = await eventLog()
  for (let i = 0; i < 25; i++)
    await append(...Array.from({ length: 100 }, () => fact('notice', { text: 'x', reason: 'y' }, null)))
  const log = await store.read(sessionId)
  for (const last of [1, 999, 1000, 1001, 2500]) {
    const event = log[last - 1]
    expect(await foldStoredUpTo(store, sessionId, last)).toEqual(fold(log.slice(0, last)))
    expect(await foldStoredUpTo(store, sessionId, event?.id ?? '')).toEqual(fold(log.slice(0, last)))
    expect(await findStored(store, sessionId, ({ seq }) => seq === last)).toEqual(event)
  }
  expect(await foldStoredUpTo(store, sessionId, 0)).toEqual(fold([]))
  expect(await foldStoredUpTo(store, sessionId, 9999)).toEqual(fold(log))
  expect(await foldStoredUpTo(store, sessionId, 'nobody')).toBeUndefined()
  expect(await findStored(store, sessionId, () => false)).toBeUndefined()
})
