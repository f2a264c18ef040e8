import { describe, expect, test } from 'vitest'
import { leaseState } from './lease-state.ts'
import { leaseTimes } from './lease-times.ts'

const at = (seconds: number): number => seconds * 1000
const fresh = () => leaseState(leaseTimes())

describe('acting', () => {
  test('a node that never renewed may do nothing', () => {
    expect(fresh().mayAct(0)).toBe(false)
    expect(fresh().mayEvict(0)).toBe(false)
  })

  test('a renewal lets it act for eight seconds from before it was sent', () => {
    const state = fresh()
    state.renewed(at(100))
    expect(state.mayAct(at(107.999))).toBe(true)
    expect(state.mayAct(at(108))).toBe(false)
  })

  test('a renewal that failed takes nothing away', () => {
    const state = fresh()
    state.renewed(at(100))
    state.failed()
    expect(state.mayAct(at(107))).toBe(true)
  })

  test('an answer that comes after that of a later renewal takes nothing away', () => {
    const state = fresh()
    state.renewed(at(103))
    state.renewed(at(100))
    expect(state.actUntil()).toBe(at(111))
  })

  test('an evicted node may not act, however much time it had left', () => {
    const state = fresh()
    state.renewed(at(100))
    state.ended()
    expect(state.mayAct(at(100))).toBe(false)
  })

  test('it stops before others may take over, whatever the times are divided by', () => {
    for (const faster of [1, 10, 50]) {
      const { actMs, leaseMs, renewMs } = leaseTimes(faster)
      expect(actMs).toBeLessThan(leaseMs)
      expect(renewMs * 2).toBeLessThan(actMs)
    }
  })
})

describe('evicting', () => {
  function renewing(from: number, to: number) {
    const state = fresh()
    for (let second = from; second <= to; second += 3) state.renewed(at(second))
    return state
  }

  test('a node evicts after ten seconds of renewals that all succeeded', () => {
    const state = renewing(100, 112)
    expect(state.mayEvict(at(109.9))).toBe(false)
    expect(state.mayEvict(at(110))).toBe(true)
  })

  test('one that failed starts the ten seconds again', () => {
    const state = renewing(100, 112)
    state.failed()
    expect(state.mayEvict(at(112))).toBe(false)
    for (const second of [113, 116, 119, 122]) state.renewed(at(second))
    expect(state.mayEvict(at(122.9))).toBe(false)
    expect(state.mayEvict(at(123))).toBe(true)
  })

  test('a node that stood still evicts nobody when it goes on', () => {
    const state = renewing(100, 112)
    expect(state.mayEvict(at(150))).toBe(false)
    state.renewed(at(150))
    expect(state.mayEvict(at(150.1))).toBe(false)
  })
})
