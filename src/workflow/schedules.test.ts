import { expect, test } from 'vitest'
import type { Automation } from '../contract/automation.ts'
import type { Invocation } from '../contract/invocation.ts'
import { Problem } from '../contract/problem.ts'
import type { Actions } from './actions.ts'
import type { Automations } from './automations.ts'
import { createSchedules, type Schedule } from './schedules.ts'

const HOUR = 3_600_000

interface World {
  readonly now?: number
  readonly cron?: string
  readonly runs?: Readonly<Record<string, Invocation['status']>>
  perform?(one: Automation, once: { readonly key: string }): Promise<unknown>
}

/** A schedule for each id, by default an hourly one, that is due at the first hour, and what becomes of them. */
function scheduled(ids: readonly string[], { now = HOUR, cron = '0 * * * *', runs = {}, perform }: World = {}) {
  const changed: Automation[] = []
  const done: string[] = []
  const body = { cron, timeZone: 'UTC', action: { does: 'workflow', workflowId: 'w' } }
  const due = new Map(
    ids.map((id) => [id, { id, kind: 'schedule', tenant: 't', dueAt: HOUR, revision: 1, body } as Schedule]),
  )
  const schedules = createSchedules(
    {
      automation: async (_, id) => due.get(id),
      activeAutomations: async () => [],
      dueAutomations: async () => [...due.values()],
      async changeAutomation(one) {
        changed.push(one)
        return 'stored'
      },
      invocationByKey: async (_, key) => (runs[key] ? ({ status: runs[key] } as Invocation) : undefined),
    },
    {} as Automations,
    {
      clock: { now: () => now },
      actions: {
        async perform(one: Automation, once: { readonly key: string }) {
          done.push(one.id)
          await perform?.(one, once)
        },
        async skip() {},
      } as unknown as Actions,
      isOpen: async () => false,
    },
  )
  return { schedules, due, changed, done }
}

test('what a fault of the moment stops stays due, and is told to whoever looks after it', async () => {
  const perform = () => Promise.reject(new Problem('STORE_UNAVAILABLE', 'Away.'))
  const { schedules, changed } = scheduled(['a'], { perform })
  await expect(schedules.tick()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(changed).toEqual([])
})

test('one that takes long keeps no tick waiting; its fault is told with the next, and a stop waits for it', async () => {
  let fail = (_: unknown): void => {}
  const { schedules, changed } = scheduled(['a'], { perform: () => new Promise((_, reject) => (fail = reject)) })
  await schedules.tick()
  let isStopped = false
  const stopping = schedules.stop().then(() => (isStopped = true))
  await Promise.resolve()
  expect(isStopped).toBe(false)
  fail(new Problem('STORE_UNAVAILABLE', 'Away.'))
  await stopping
  await expect(schedules.tick()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(changed).toEqual([])
})

test('one that is changed while others are begun is looked at anew', async () => {
  const it = scheduled(['a', 'b'], {
    perform: async () => void it.due.set('b', { ...(it.due.get('b') as Schedule), status: 'disabled', revision: 2 }),
  })
  await it.schedules.tick()
  expect(it.done).toEqual(['a'])
})

test.each([
  ['running', []],
  ['success', ['a']],
] as const)(
  'what was begun by a process that died then, and is %s, decides whether the next time is skipped',
  async (status, done) => {
    const it = scheduled(['a'], { now: 2 * HOUR, runs: { [`schedule:a:${HOUR}`]: status } })
    await it.schedules.tick()
    expect(it.done).toEqual(done)
    expect(it.changed).toMatchObject([{ dueAt: 3 * HOUR }])
  },
)

test('of very many missed times the latest is made up for, also where the last one that is counted is almost as late', async () => {
  const begun: string[] = []
  const now = HOUR + 1030 * 60_000
  const { schedules } = scheduled(['a'], { now, cron: '* * * * *', perform: async (_, { key }) => begun.push(key) })
  await schedules.tick()
  expect(begun).toEqual([`schedule:a:${now}`])
})

test('what it starts is no change to people who look at a schedule: its revision stays', async () => {
  const { schedules, changed } = scheduled(['a'])
  await schedules.tick()
  expect(changed).toMatchObject([{ dueAt: 2 * HOUR, revision: 1, body: { firedAt: HOUR } }])
})
