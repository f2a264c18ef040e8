import { describe, expect, test } from 'vitest'
import { createSlots } from './slots.ts'

const never = new AbortController().signal

/** Takes slots for these actors, one after the other, and notes in which order they are given. */
function lineUp(size: number, actors: readonly string[]) {
  const slots = createSlots(size)
  const given: string[] = []
  const releases: (() => void)[] = []
  for (const actor of actors) {
    void slots.take(actor, never).then((release) => {
      given.push(actor)
      if (release) releases.push(release)
    })
  }
  /** Gives one slot back and waits until the next one has it. */
  async function next(): Promise<void> {
    releases.shift()?.()
    await Promise.resolve()
    await Promise.resolve()
  }
  return { given, next }
}

/** Every letter is an actor who asks for a slot. */
async function orderOf(size: number, actors: string): Promise<string> {
  const { given, next } = lineUp(size, actors.split(''))
  for (let i = 0; i <= actors.length; i++) await next()
  return given.join('')
}

describe('slots', () => {
  test('are given at once while there are any', async () => {
    const slots = createSlots(2)
    await slots.take('a', never)
    expect(slots.tryTake()).toBeTypeOf('function')
    expect(slots.tryTake()).toBe(undefined)
    expect(slots).toMatchObject({ taken: 2, waiting: 0 })
  })

  test('are given to those who are first before anybody else, whoever they are', async () => {
    const slots = createSlots(1)
    const release = slots.tryTake()
    const order: string[] = []
    const line = async (name: string, actor: string, first: boolean): Promise<void> => {
      const giveBack = await slots.take(actor, never, first)
      order.push(name)
      giveBack?.()
    }
    const all = [line('1', 'a', false), line('2', 'b', true), line('3', 'a', false), line('4', 'b', true)]
    expect(slots.waiting).toBe(4)
    release?.()
    await Promise.all(all)
    expect(order).toEqual(['2', '4', '1', '3'])
    expect(slots).toMatchObject({ taken: 0, waiting: 0 })
  })

  test('come back when they are released, once', async () => {
    const slots = createSlots(1)
    const release = await slots.take('a', never)
    release?.()
    release?.()
    expect(slots.taken).toBe(0)
    slots.tryTake()
    expect(slots.tryTake()).toBe(undefined)
  })

  test('released twice are not given twice', async () => {
    const slots = createSlots(1)
    const release = await slots.take('a', never)
    const second = slots.take('b', never)
    const third = slots.take('c', never)
    release?.()
    release?.()
    await second
    expect(await Promise.race([third, Promise.resolve('still waiting')])).toBe('still waiting')
    expect(slots).toMatchObject({ taken: 1, waiting: 1 })
  })

  test('pass by nobody who waits', async () => {
    const slots = createSlots(1)
    const release = slots.tryTake()
    const waiting = slots.take('a', never)
    expect(slots.tryTake()).toBe(undefined)
    release?.()
    expect(slots.tryTake()).toBe(undefined)
    expect(await waiting).toBeTypeOf('function')
  })
})

describe('whose turn it is', () => {
  test('is that of who came first', async () => {
    expect(await orderOf(1, 'abcd')).toBe('abcd')
  })

  test('goes round by actor', async () => {
    expect(await orderOf(1, 'aaaaaabbc')).toBe('aabcabaaa')
  })

  test('does not depend on how many slots there are', async () => {
    expect(await orderOf(3, 'aaaaaaaab')).toBe('aaaabaaaa')
  })

  test('keeps the order of one actor', async () => {
    const slots = createSlots(1)
    const first = slots.tryTake()
    const order: number[] = []
    for (const n of [1, 2, 3]) {
      void slots.take('a', never).then((release) => {
        order.push(n)
        release?.()
      })
    }
    first?.()
    await new Promise(setImmediate)
    expect(order).toEqual([1, 2, 3])
  })
})

describe('who gives up waiting', () => {
  test('gets nothing, and holds nobody up', async () => {
    const slots = createSlots(1)
    const release = slots.tryTake()
    const patience = new AbortController()
    const impatient = slots.take('a', patience.signal)
    const patient = slots.take('b', never)
    patience.abort()
    expect(await impatient).toBe(undefined)
    expect(slots.waiting).toBe(1)
    release?.()
    expect(await patient).toBeTypeOf('function')
  })

  test('keeps the place of the actor for the others of the same', async () => {
    const slots = createSlots(1)
    const release = slots.tryTake()
    const patience = new AbortController()
    void slots.take('a', patience.signal)
    const second = slots.take('a', never)
    void slots.take('b', never)
    patience.abort()
    release?.()
    expect(await second).toBeTypeOf('function')
  })

  test('had none left to wait for if the signal was aborted before', async () => {
    const slots = createSlots(1)
    slots.tryTake()
    expect(await slots.take('a', AbortSignal.abort())).toBe(undefined)
    expect(slots.waiting).toBe(0)
  })

  test('does not lose a slot that was given already', async () => {
    const slots = createSlots(1)
    const release = slots.tryTake()
    const patience = new AbortController()
    const waiting = slots.take('a', patience.signal)
    release?.()
    patience.abort()
    const given = await waiting
    expect(given).toBeTypeOf('function')
    given?.()
    expect(slots.taken).toBe(0)
  })
})
