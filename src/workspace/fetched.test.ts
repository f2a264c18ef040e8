import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ContextCall } from '../contract/workspace.ts'
import { createFetched, isFresh, type TextOrError } from './fetched.ts'

const MINUTE = 60_000
const place = { tenant: 'acme', workspaceId: 'desk' }
const call = (name: string, everyMs: number): ContextCall => ({ name, server: 's', tool: 't', args: {}, everyMs })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Calls that are answered at once, and noted. */
function fetching(answer: (name: string) => TextOrError | Promise<TextOrError> = () => ({ text: 'Three left.' })) {
  const made: string[] = []
  const closing = new AbortController()
  const wanted = { is: true }
  const fetched = createFetched({
    clock: { now: () => Date.now() },
    closed: closing.signal,
    async fetch(_, { name }) {
      made.push(name)
      return answer(name)
    },
    isWanted: async () => wanted.is,
  })
  return { fetched, made, closing, wanted }
}

const minutes = (many: number) => vi.advanceTimersByTimeAsync(many * MINUTE)

test('a call is made again by its interval while its workspace is in use, and half an hour longer', async () => {
  const { fetched, made } = fetching()
  const stock = call('stock', 10 * MINUTE)
  fetched.look(place, [stock])
  await minutes(25)
  expect(made).toHaveLength(3)
  fetched.look(place, [stock])
  await minutes(200)
  expect(made).toHaveLength(6)
  const [entry] = fetched.look(place, [stock])
  expect(entry && isFresh(entry, Date.now())).toBe(false)
  await minutes(0)
  expect(made).toHaveLength(7)
  expect(entry && isFresh(entry, Date.now())).toBe(true)
})

test('a call that fails is made again after a minute, however long its interval is', async () => {
  const answers: TextOrError[] = [{ error: 'No.' }, { error: 'No.' }, { text: 'Yes.' }]
  const { fetched, made } = fetching(() => answers.shift() ?? { text: '' })
  const rare = call('rare', 600 * MINUTE)
  fetched.look(place, [rare])
  await minutes(20)
  expect(made).toHaveLength(3)
  expect(fetched.known(place, rare)?.result).toEqual({ text: 'Yes.' })
})

test('a call that the workspace has no more is forgotten, and so is everything when Segno closes', async () => {
  const { fetched, made, closing, wanted } = fetching()
  const [stock, weather] = [call('stock', MINUTE), call('weather', MINUTE)]
  fetched.look(place, [stock, weather])
  await minutes(0)
  fetched.look(place, [weather])
  expect(fetched.known(place, stock)).toBeUndefined()
  await minutes(2)
  expect(made).toEqual(['stock', 'weather', 'weather', 'weather'])
  wanted.is = false
  await minutes(5)
  expect(made).toHaveLength(4)
  expect(fetched.known(place, weather)?.result).toBeUndefined()
  wanted.is = true
  fetched.look(place, [weather])
  await minutes(0)
  closing.abort()
  fetched.look(place, [weather, stock])
  await minutes(5)
  expect(made).toHaveLength(5)
})

test('who wants it at the same moment gets one answer, and a changed call is another one', async () => {
  const { promise, resolve } = Promise.withResolvers<TextOrError>()
  const { fetched, made } = fetching(() => promise)
  const slow = call('slow', MINUTE)
  const both = [fetched.refresh(place, [slow]), fetched.refresh(place, [slow])]
  fetched.look(place, [slow])
  expect(fetched.known(place, slow)?.result).toBeUndefined()
  resolve({ text: 'At last.' })
  await Promise.all(both)
  expect(made).toHaveLength(1)
  fetched.look(place, [{ ...slow, args: { other: true } }])
  await minutes(0)
  expect(made).toHaveLength(2)
})

test('one tenant that wants too much at once is told so, and others still get theirs', async () => {
  const { promise, resolve } = Promise.withResolvers<TextOrError>()
  const { fetched, made } = fetching((name) => (name === 'quick' ? { text: 'Here.' } : promise))
  for (let at = 0; at < 30; at++) fetched.look({ ...place, workspaceId: `${at}` }, [call(`${at}`, MINUTE)])
  await minutes(0)
  expect(made).toHaveLength(20)
  expect(fetched.known({ ...place, workspaceId: '25' }, call('25', MINUTE))?.result).toMatchObject({
    error: expect.stringContaining('just now') as string,
  })
  await fetched.refresh({ tenant: 'other', workspaceId: 'desk' }, [call('quick', MINUTE)])
  expect(made.at(-1)).toBe('quick')
  resolve({ text: '' })
})

test('a result is not used after the clock was set back', async () => {
  const { fetched } = fetching()
  const [entry] = fetched.look(place, [call('stock', MINUTE)])
  await minutes(0)
  expect(entry && isFresh(entry, Date.now())).toBe(true)
  expect(entry && isFresh(entry, Date.now() - 1)).toBe(false)
})
