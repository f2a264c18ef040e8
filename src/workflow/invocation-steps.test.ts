import { expect, test } from 'vitest'
import type { Automation } from '../contract/automation.ts'
import type { Invocation } from '../contract/invocation.ts'
import type { Engine } from './engine.ts'
import { createInvocationSteps, type StepOptions } from './invocation-steps.ts'

const NOW = 1_000_000
const RUN = { id: 'r', status: 'pending', origin: 'person', attempts: 0, until: 2 * NOW, input: {}, revision: 1 }
const FAULT = () => Promise.reject(new Error('the store is away'))

/** One step of an unsafe run, and all that it is by then. */
async function stepOf(
  run: Partial<Invocation>,
  { engine = {}, secretsOf = async () => ({}), isLeaving = false }: Partial<Given> = {},
) {
  const states: Invocation[] = [{ ...RUN, ...run } as Invocation]
  const workflow = { kind: 'workflow', body: { target: { engine: 'temporal' }, effect: 'unsafe' } }
  const change = async (one: Invocation): Promise<boolean> => states.push(one) > 0
  const { step } = createInvocationSteps(
    { automation: async () => workflow as Automation },
    {
      change,
      async settle(_, to) {
        const next = to(states.at(-1) as Invocation)
        if (next) await change(next)
        return next
      },
    },
    {
      clock: { now: () => NOW },
      automations: { secretsOf },
      engines: new Map([['temporal', engine as Engine]]),
      mayAct: () => true,
      handOverMs: 1,
      handOverMaxMs: 1,
    } as unknown as StepOptions,
  )
  const signal = isLeaving ? AbortSignal.abort() : new AbortController().signal
  const [taken] = states as [Invocation]
  await step({ taken, signal, isLeaving: () => isLeaving }).catch((error: unknown) => {
    if (secretsOf !== FAULT) throw error
  })
  return states.slice(1)
}

interface Given {
  readonly engine: Partial<Engine>
  readonly secretsOf: () => Promise<Readonly<Record<string, string>>>
  readonly isLeaving: boolean
}

test('a fault before anything is sent leaves no doubt whether it was', async () => {
  expect(await stepOf({}, { secretsOf: FAULT })).toEqual([])
})

const unclear = async () => 'unclear' as const

test('one in doubt whose engine knows keys and cannot be asked now is looked up again, until its time is over', async () => {
  const engine = { knowsKeys: true, find: unclear }
  const [after] = await stepOf({ inDoubt: true }, { engine })
  expect(after).toMatchObject({ status: 'pending', inDoubt: true, dueAt: NOW + 5000 })
  expect(await stepOf({ inDoubt: true, until: NOW }, { engine })).toMatchObject([{ status: 'unknown' }])
})

test('one in doubt whose engine may never know is unknown at once', async () => {
  const engine = { knowsKeys: false, find: unclear }
  expect(await stepOf({ inDoubt: true }, { engine })).toMatchObject([{ status: 'unknown' }])
})

test('one in doubt that Segno stops looking up is looked up by the next start', async () => {
  const engine = { knowsKeys: false, find: unclear }
  const [after] = await stepOf({ inDoubt: true }, { engine, isLeaving: true })
  expect(after).toMatchObject({ status: 'pending', inDoubt: true, dueAt: NOW })
})
