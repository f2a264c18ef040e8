import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { partStream } from './part-stream.ts'
import type { ScriptedTurn } from './script.ts'
import { streamParts } from './stream-parts.ts'

const open = (turn: ScriptedTurn, signal?: AbortSignal) =>
  partStream(streamParts(turn, { message: 'hi' }, []), turn.delayMs ?? 0, signal)
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('without a delay', () => {
  it('sends everything without a timer and closes', async () => {
    const types = (await Array.fromAsync(open({ text: 'abc' }))).map((part) => part.type)
    expect(types).toEqual(['stream-start', 'text-start', 'text-delta', 'text-end', 'finish'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('lets go of the signal with the last part, before anyone asks for more', async () => {
    const { signal } = new AbortController()
    const reader = open({}, signal).getReader()
    await reader.read()
    expect(listeners(signal)).toBe(1)
    expect((await reader.read()).value?.type).toBe('finish')
    expect(listeners(signal)).toBe(0)
    expect((await reader.read()).done).toBe(true)
  })

  it('ends at once with the reason when aborted while parts are unread', async () => {
    const controller = new AbortController()
    const reader = open({ text: 'abc' }, controller.signal).getReader()
    await reader.read()
    controller.abort(new Error('enough'))
    await expect(reader.read()).rejects.toThrow('enough')
    expect(listeners(controller.signal)).toBe(0)
  })

  it('lets go of the signal when cancelled', async () => {
    const { signal } = new AbortController()
    await open({ text: 'abc' }, signal).cancel()
    expect(listeners(signal)).toBe(0)
  })

  it('stays ended when the abort comes after the end', async () => {
    const controller = new AbortController()
    const reader = open({}, controller.signal).getReader()
    while (!(await reader.read()).done);
    controller.abort()
    await expect(reader.closed).resolves.toBeUndefined()
  })
})

describe('with a delay', () => {
  const slow: ScriptedTurn = { text: 'abc', deltaChars: 1, delayMs: 50 }

  it('waits before each delta', async () => {
    const arrived: [string, number][] = []
    const began = Date.now()
    const reading = (async () => {
      for await (const part of open(slow)) arrived.push([part.type, Date.now() - began])
    })()
    await vi.runAllTimersAsync()
    await reading
    expect(arrived).toEqual([
      ['stream-start', 0],
      ['text-start', 0],
      ['text-delta', 50],
      ['text-delta', 100],
      ['text-delta', 150],
      ['text-end', 150],
      ['finish', 150],
    ])
  })

  it('ends at once when aborted during a wait, and leaves no timer', async () => {
    const controller = new AbortController()
    const reader = open(slow, controller.signal).getReader()
    await reader.read()
    await reader.read()
    const waiting = reader.read()
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(vi.getTimerCount()).toBe(0)
    expect(listeners(controller.signal)).toBe(0)
  })

  it('leaves no timer when cancelled', async () => {
    const { signal } = new AbortController()
    await open(slow, signal).cancel()
    expect(vi.getTimerCount()).toBe(0)
    expect(listeners(signal)).toBe(0)
  })

  it('closes for a reader that comes late', async () => {
    const stream = open(slow)
    await vi.runAllTimersAsync()
    expect(await Array.fromAsync(stream)).toHaveLength(7)
  })
})

describe('a stall', () => {
  it('hangs until it is aborted', async () => {
    const controller = new AbortController()
    const reader = open({ text: 'abc', fault: { kind: 'stall', afterDeltas: 1 } }, controller.signal).getReader()
    for (const type of ['stream-start', 'text-start', 'text-delta']) {
      expect((await reader.read()).value?.type).toBe(type)
    }
    const settled = vi.fn()
    const waiting = reader.read().finally(settled)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(settled).not.toHaveBeenCalled()
    controller.abort(new Error('no more patience'))
    await expect(waiting).rejects.toThrow('no more patience')
    expect(listeners(controller.signal)).toBe(0)
  })
})
