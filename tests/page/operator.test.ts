import { expect, test } from 'vitest'
import { draftEvent } from '../../src/contract/event.ts'
import { counter, histogram, known, type Label } from '../../src/telemetry/exposition.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { diff } from '../../src/tool/mcp/diff.ts'
import { perMinute } from '../../web/src/operator/metrics/over-time.ts'
import { readExposition } from '../../web/src/operator/metrics/read-exposition.ts'
import { readSample } from '../../web/src/operator/metrics/sample.ts'
import { readDiff } from '../../web/src/operator/read-diff.ts'
import { givenLog, roundEnded, roundStarted } from '../support/given-log.ts'

/** The operator's pages read texts of the server: both must mean the same. */

const anything = (name: string): Label => known(name, () => true)

test('the page reads labels as the server wrote them, whatever is in them', () => {
  const odd = 'a "b" \\n \n c, d="e" } 5'
  const series = counter({ name: 'odd_total', help: 'Odd.' }, anything('what'), anything('more'))
  series.add(1.5, odd, 'm-1')
  expect(readExposition(series.text())).toEqual([{ name: 'odd_total', labels: { what: odd, more: 'm-1' }, value: 1.5 }])
})

test('the page reads the buckets of a histogram with their bounds', () => {
  const times = histogram({ name: 'seconds', help: 'Times.' }, [0.1, 1])
  times.observe(0.5)
  times.observe(7)
  const buckets = readExposition(times.text()).filter(({ name }) => name === 'seconds_bucket')
  expect(buckets.map(({ labels, value }) => [labels['le'], value])).toEqual([
    ['0.1', 0],
    ['1', 1],
    ['+Inf', 2],
  ])
})

const usage = { input: 10, output: 4 }
const TURN = draftEvent('turn.ended', { turn: 1, stopReason: 'end_turn', usage, durationMs: 1500 })
const PAID = draftEvent('round.ended', { finishReason: 'cancelled', usage, cost: 70 })

test('the page finds its numbers under the names the server uses', () => {
  const none = (): number => 0
  const gauges = {
    streams: () => 3,
    roundsRunning: none,
    roundsQueued: none,
    sessionsLive: none,
    spansLost: none,
    nodes: none,
    leaseLeft: none,
  }
  const metrics = createMetrics(gauges, { version: '1', knownModel: () => true })
  metrics.see('a', givenLog(roundStarted(), roundEnded()))
  const before = readSample(metrics.text(), 1000)
  metrics.see('b', givenLog(roundStarted(), roundEnded('error')))
  metrics.see('c', givenLog(roundStarted(), TURN, PAID))
  const after = readSample(metrics.text(), 3000)
  metrics.close()
  expect(after.streams).toBe(3)
  expect(after.counters).toMatchObject({ ended: 3, failed: 1, tokens: 14, cost: 70 })
  expect(after.counters.cpu).toBeGreaterThan(0)
  expect(after.buckets.at(-1)).toEqual({ le: Infinity, count: 3 })
  expect(after.buckets.length).toBeGreaterThan(5)
  expect(perMinute([before, after], 'ended').map(({ value }) => value)).toEqual([2])
})

test('the page shows every difference of two definitions, whatever they hold', () => {
  const before = { description: 'Reads.', inputSchema: { properties: { 'a: b': 'x\n- fake: 1' } } }
  const after = { description: 'Sends.', inputSchema: { properties: { 'a: b': 'y + c: d', new: [1] } } }
  const text = diff(before, after)
  const shown = readDiff(text).flatMap(({ field, before: was, after: is }) => [
    ...(was ? [`- ${field}: ${was.same}${was.differs}${was.rest}`] : []),
    ...(is ? [`+ ${field}: ${is.same}${is.differs}${is.rest}`] : []),
  ])
  expect(shown.join('\n')).toBe(text)
})
