import { expect, test } from 'vitest'
import { fold } from '../session/index.ts'
import type { LogStore } from '../store/index.ts'
import { eventLog, fact } from '../../tests/support/event-log.ts'
import { findById, findStored, foldStored } from './fold-stored.ts'

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
    expect(await foldStored(store, sessionId, last)).toEqual(fold(log.slice(0, last)))
    expect(await foldStored(store, sessionId, event?.id ?? '')).toEqual(fold(log.slice(0, last)))
    expect(await findStored(store, sessionId, ({ seq }) => seq === last)).toEqual(event)
  }
  expect(await foldStored(store, sessionId, 0)).toEqual(fold([]))
  expect(await foldStored(store, sessionId, 9999)).toEqual(fold(log))
  expect(await foldStored(store, sessionId, 'nobody')).toBeUndefined()
  expect(await findStored(store, sessionId, () => false)).toBeUndefined()
})

test('an event is found by its id with few reads, and also where a clock was set back', async () => {
  const { store, append, sessionId } = await eventLog()
  for (let i = 0; i < 40; i++)
    await append(...Array.from({ length: 50 }, () => fact('notice', { text: 'x', reason: 'y' })))
  const log = await store.read(sessionId)
  let reads = 0
  const counting: LogStore = {
    ...store,
    read: (...args) => {
      reads += 1
      return store.read(...args)
    },
    readSlice: () => Promise.reject(new Error('this log needs no search')),
  }
  for (const seq of [1, 2, 777, 2000, 2001])
    expect(await findById(counting, sessionId, log[seq - 1]?.id ?? '', 2001)).toEqual(log[seq - 1])
  expect(reads).toBeLessThanOrEqual(5 * 11)
  const early = fact('notice', { text: 'x', reason: 'y' })
  await append({ ...early, id: `00${early.id.slice(2)}` }, fact('notice', { text: 'x', reason: 'y' }))
  const [, set] = await store.read(sessionId, { after: 2000 })
  expect(await findById(store, sessionId, `00${early.id.slice(2)}`, 2003)).toEqual(set)
  expect(await findById(store, sessionId, 'nobody', 2003)).toBeUndefined()
})
