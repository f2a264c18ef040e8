import { afterAll, beforeAll, expect } from 'vitest'
import { WIRE_NAMES, WIRES } from '../../support/faulty-provider/wires.ts'
import { answers, refuses, WELL } from '../../support/faulty-provider/plays.ts'
import { verifies } from '../../support/verifies.ts'
import { said, wrong } from './support/fault.ts'
import { FIFTIETH, openStage, type Stage } from './support/stage.ts'
import { tryOut } from './support/trial.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** What is waited for when the provider does not say, and at least. */
const [LEAST, MOST] = [FIFTIETH.RETRY_BASE_MS * 0.5, FIFTIETH.RETRY_BASE_MS * 1.5]

/** What a provider asks for, and how long is waited then: at least and at most. */
const waits: Record<string, readonly [headers: () => Record<string, string>, least: number, most: number]> = {
  'in seconds': [() => ({ 'retry-after': '1' }), 1000, 1000],
  'in milliseconds': [() => ({ 'retry-after-ms': '150', 'retry-after': '1' }), 150, 150],
  'until a date': [() => ({ 'retry-after': new Date(Date.now() + 1000).toUTCString() }), LEAST, 1000],
  'until a date that is past': [() => ({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }), LEAST, MOST],
  'not at all': [() => ({ 'retry-after': '0' }), LEAST, MOST],
  'in words nobody knows': [() => ({ 'retry-after': 'soon' }), LEAST, MOST],
  'in time that is over': [() => ({ 'retry-after': '-5' }), LEAST, MOST],
}

for (const [how, [headers, least, longest]] of Object.entries(waits)) {
  verifies('COO-6', `a provider that says ${how} when to come again is asked again then, and answers`, async () => {
    const trials = WIRE_NAMES.map((name) =>
      stage.inTurn(async () => {
        const { round, events, requests, tookMs, troubles } = await tryOut(stage, WIRES[name], 'unified', (attempt) =>
          attempt > 1 ? answers : refuses(429, headers()),
        )
        const [retry] = said(events, 'turn.retried')
        const waitMs = retry?.waitMs ?? -1
        return [
          ...troubles,
          ...wrong(`${name}: answer`, round.content, WELL),
          ...wrong(`${name}: requests`, requests, 2),
          ...wrong(`${name}: reason`, retry?.reason, 'rate limited'),
          ...(waitMs >= least && waitMs <= longest ? [] : [`${name}: waits ${waitMs} ms`]),
          ...(tookMs >= waitMs ? [] : [`${name}: says it waits ${waitMs} ms and takes ${tookMs}`]),
        ]
      }),
    )
    expect((await Promise.all(trials)).flat()).toEqual([])
  })
}
