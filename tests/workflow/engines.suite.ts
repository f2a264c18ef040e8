import { describe, expect, onTestFinished, test } from 'vitest'
import type { EngineName } from '../../src/contract/automation.ts'
import type { Engine, HandOver, Started } from '../../src/workflow/engine.ts'
import { verifies } from '../support/verifies.ts'
import { engineFor } from './support/engine-for.ts'
import { FAILURE, handOver, OUTPUT, type Outside } from './support/outside.ts'

/** Long enough for a request to arrive, on a busy machine too. */
const SHORT_MS = 3000

/** What each engine promises, whoever is on the other side. */
export function engineSuite(name: EngineName, open: () => Promise<Outside>): void {
  async function opened() {
    const outside = await open()
    onTestFinished(outside.leave)
    const engine = engineFor(outside)
    return { outside, engine, work: (changes?: Partial<HandOver>) => handOver(outside, engine, changes) }
  }

  /** What a hand-over came to, looked up where its answer did not say. */
  async function endOf(engine: Engine, work: HandOver): Promise<Started | 'absent' | 'unclear'> {
    const started = await engine.start(work)
    if (started.kind !== 'submitted' || !engine.find) return started
    const { engineRef } = started
    return engine.find({ ...work, ...(engineRef !== undefined && { engineRef }) })
  }

  describe(`the engine ${name}`, () => {
    verifies('GOV-12', `${name}: hands the input over with its key, and returns the output`, async () => {
      const { outside, engine, work } = await opened()
      const given = work()
      expect(await endOf(engine, given)).toMatchObject({ kind: 'success', output: OUTPUT })
      expect(outside.asked).toMatchObject([
        { key: given.key, input: given.input, depth: String(given.depth), invocationId: given.invocationId },
      ])
      expect(outside.begun).toEqual([given.key])
    })

    test('a failure that the other side reports is final, and may have done something', async () => {
      const { outside, engine, work } = await opened()
      outside.play('fails')
      expect(await endOf(engine, work())).toMatchObject({
        kind: 'failure',
        code: 'FAILED',
        isFinal: true,
        mayHaveHappened: true,
      })
    })

    test('no answer in time is no end: it may have happened', async () => {
      const { outside, engine, work } = await opened()
      await engine.start(work())
      outside.play('stays silent')
      const given = work({ timeoutMs: SHORT_MS })
      expect(await engine.start(given)).toMatchObject({
        kind: 'failure',
        code: 'TIMEOUT',
        isFinal: false,
        mayHaveHappened: true,
      })
      expect(outside.begun.at(-1)).toBe(given.key)
    })

    verifies('GOV-14', `${name}: the same key handed over twice is one work there, with one result`, async () => {
      const { outside, engine, work } = await opened()
      const given = work()
      const first = await endOf(engine, given)
      outside.returns({ done: 'once more' })
      expect(await endOf(engine, given)).toEqual(first)
      expect(outside.asked).toHaveLength(2)
      expect(outside.begun).toEqual([given.key])
    })

    test('a hundred hand-overs of one key at once are one work there', async () => {
      const { outside, engine, work } = await opened()
      outside.play('goes on')
      const given = work()
      const all = await Promise.all(Array.from({ length: 100 }, () => engine.start(given)))
      expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['submitted']))
      expect(new Set(all.map(({ engineRef }) => engineRef)).size).toBe(1)
      expect(outside.begun).toEqual([given.key])
    })

    verifies('GOV-13', `${name}: an answer that got lost is asked for again with the same key`, async () => {
      const { outside, engine, work } = await opened()
      outside.play('breaks off', 'succeeds')
      const given = work()
      expect(await engine.start(given)).toMatchObject({
        kind: 'failure',
        code: 'CONNECTION_ERROR',
        isFinal: false,
        mayHaveHappened: true,
      })
      expect(await endOf(engine, given)).toMatchObject({ kind: 'success', output: OUTPUT })
      expect(outside.begun).toEqual([given.key])
    })

    test('a connection that breaks before anything was taken leaves it as unclear', async () => {
      const { outside, engine, work } = await opened()
      outside.play('drops')
      const failed = { kind: 'failure', code: 'CONNECTION_ERROR', isFinal: false, mayHaveHappened: true }
      expect(await engine.start(work())).toMatchObject(failed)
      expect(outside.begun).toEqual([])
    })

    test('where nobody listens nothing has happened', async () => {
      const { outside, engine, work } = await opened()
      const given = work()
      await outside.leave()
      const failed = { kind: 'failure', code: 'CONNECTION_ERROR', isFinal: false, mayHaveHappened: false }
      expect(await engine.start(given)).toMatchObject(failed)
    })

    test('who is too busy did nothing, and is asked again as late as it says', async () => {
      const { outside, engine, work } = await opened()
      outside.play('is busy')
      const { retryAfterMs } = outside
      expect(await engine.start(work())).toMatchObject({
        kind: 'failure',
        code: 'RATE_LIMITED',
        isFinal: false,
        mayHaveHappened: false,
        ...(retryAfterMs > 0 && { retryAfterMs }),
      })
      expect(outside.begun).toEqual([])
    })

    test('a refusal is final, and nothing happened', async () => {
      const { outside, engine, work } = await opened()
      outside.play('refuses')
      const failed = { kind: 'failure', code: 'REFUSED', isFinal: true, mayHaveHappened: false }
      expect(await engine.start(work())).toMatchObject(failed)
      expect(outside.begun).toEqual([])
    })

    test('what goes on is submitted, and found by its reference until it has ended', async () => {
      const { outside, engine, work } = await opened()
      outside.play('goes on')
      const given = work()
      const started = await engine.start(given)
      expect(started).toMatchObject({ kind: 'submitted', engineRef: expect.any(String) as string })
      const named = { ...given, engineRef: started.engineRef ?? '' }
      expect(await engine.find?.(named)).toEqual(outside.finds && started)
      outside.end(given.key)
      expect(await engine.find?.(named)).toEqual(
        outside.finds && { kind: 'success', output: OUTPUT, engineRef: started.engineRef },
      )
    })

    test('what failed later is found as failed', async () => {
      const { outside, engine, work } = await opened()
      outside.play('goes on')
      const given = work()
      const { engineRef = '' } = await engine.start(given)
      outside.end(given.key, 'failure')
      const found = await engine.find?.({ ...given, engineRef })
      if (outside.finds) expect(found).toMatchObject({ kind: 'failure', code: 'FAILED', isFinal: true })
      else expect(found).toBeUndefined()
    })

    test('what was never handed over is absent only where keys can be looked up', async () => {
      const { outside, engine, work } = await opened()
      const found = { keys: 'absent', executions: 'unclear', nothing: undefined }[outside.finds ?? 'nothing']
      expect(await engine.find?.(work())).toBe(found)
      expect(await engine.find?.(work({ engineRef: '4711' }))).toBe(found)
    })

    test('a lookup that nobody answers is unclear', async () => {
      const { outside, engine, work } = await opened()
      outside.play('goes on')
      const given = work()
      const { engineRef = '' } = await engine.start(given)
      await outside.leave()
      const found = await engine.find?.({ ...given, engineRef, timeoutMs: SHORT_MS })
      expect(found).toBe(outside.finds && 'unclear')
    })

    test('cancelling stops it where that is possible, once', async () => {
      const { outside, engine, work } = await opened()
      outside.play('goes on')
      const given = work()
      const { engineRef = '' } = await engine.start(given)
      const named = { ...given, engineRef }
      expect(engine.cancel !== undefined).toBe(outside.cancels)
      if (!engine.cancel) return
      expect(await engine.cancel(named)).toBe(true)
      expect(outside.isStopped(given.key)).toBe(true)
      expect(await engine.find?.(named)).toMatchObject({ kind: 'failure', code: 'CANCELLED', isFinal: true })
      expect(await engine.cancel(named)).toBe(false)
    })

    test('a hand-over that is stopped ends at once, and says whether it was sent', async () => {
      const { outside, engine, work } = await opened()
      await engine.start(work())
      outside.play('stays silent')
      const stop = new AbortController()
      const sent = engine.start(work({ signal: stop.signal }))
      await outside.wasAsked(2)
      stop.abort()
      expect(await sent).toMatchObject({ kind: 'failure', code: 'CANCELLED', mayHaveHappened: true })
      const unsent = await engine.start(work({ signal: AbortSignal.abort() }))
      expect(unsent).toMatchObject({ kind: 'failure', code: 'CANCELLED', mayHaveHappened: false })
      expect(outside.asked).toHaveLength(2)
    })

    test('a key that no header can carry is sent as another, always the same', async () => {
      const { outside, engine, work } = await opened()
      const given = work({ key: 'Müller\r\nx-evil: 1' })
      await engine.start(given)
      await engine.start(given)
      expect(outside.asked.map(({ key }) => key)).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f]{64}$/)))
      expect(outside.begun).toHaveLength(1)
    })

    test('why it failed has no secret in it, and the words of the other side only for people', async () => {
      const { outside, engine, work } = await opened()
      for (const conduct of ['fails', 'refuses', 'is busy', 'breaks off'] as const) {
        outside.play(conduct)
        const given = work()
        const end = await endOf(engine, given)
        if (typeof end !== 'object' || end.kind !== 'failure') throw new Error('it did not fail')
        for (const secret of [...Object.values(given.secrets), given.callback?.token ?? ''])
          expect(JSON.stringify(end)).not.toContain(secret)
        expect(end.error).not.toContain(FAILURE)
        if (conduct === 'fails') expect(end.raw).toContain(FAILURE)
      }
    })
  })
}
