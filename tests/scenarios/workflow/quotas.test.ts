import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { like, working } from './support/working.ts'

const SUCCESS = { status: 'success', output: { done: true } } as const
const MANY = 40

for (const [kind, words] of [
  ['perHour', /3 runs an hour/],
  ['concurrent', /3 runs at once/],
] as const) {
  verifies('GOV-13', `of many that people start at once no more run than ${kind} allows`, async () => {
    const it = await working({ quota: { [kind]: 3 } })
    it.outside.play('goes on')
    const started = await Promise.allSettled(Array.from({ length: MANY }, (_, page) => it.invoke({ page })))
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const one of started)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ code: 'RATE_LIMITED', message: like(words), retryAfterMs: 60_000 })
    await it.outside.wasAsked(3)
    expect(await it.runs()).toHaveLength(3)
    expect(it.outside.asked).toHaveLength(3)
  })

  verifies('GOV-13', `of many conversations that call it at once no more run than ${kind} allows`, async () => {
    const it = await working({ quota: { [kind]: 3 } })
    it.outside.play('goes on')
    const rounds = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { id } = await it.segno.createSession()
        return it.send('Go.', { sessionId: id })
      }),
    )
    await it.outside.wasAsked(3)
    // Those that were refused end by themselves; the others wait for their result.
    const refused = await new Promise<number>((resolve) => {
      let count = 0
      for (const round of rounds)
        void round.completion.then(() => {
          count += 1
          if (count === 9) resolve(count)
        })
    })
    expect(refused).toBe(9)
    for (const asked of it.outside.asked) await it.reportWithToken(asked, SUCCESS)
    const ends = await Promise.all(rounds.map((round) => round.completion))
    const outcomes = ends.flatMap(({ calls }) => calls.map(({ outcome, effect }) => `${outcome} ${effect}`))
    expect(outcomes.filter((one) => one === 'ok done')).toHaveLength(3)
    expect(outcomes.filter((one) => one === 'refused none')).toHaveLength(9)
    expect(it.outside.asked).toHaveLength(3)
  })
}

verifies('GOV-13', 'people and models share one quota', async () => {
  const it = await working({ quota: { concurrent: 1 } })
  it.outside.play('goes on')
  const run = await it.invoke({ page: 7 })
  const { events } = await it.ask()
  const [result] = said(events, 'tool.result')
  expect(result).toMatchObject({ effect: 'none' })
  expect(result?.content).toMatch(/1 run at once/)
  expect(await it.runs()).toHaveLength(1)
  await it.outside.wasAsked(1)
  await it.reportWithToken(it.outside.last(), SUCCESS)
  await it.ended(run.id)
  it.outside.play('succeeds')
  const { id: sessionId } = await it.segno.createSession()
  expect(await it.ask('Go.', { sessionId })).toMatchObject({ calls: [{ outcome: 'ok' }] })
})

verifies('GOV-13', 'a run frees its place when it ends, however it ends, and its hour when that is over', async () => {
  const it = await working({ quota: { concurrent: 1, perHour: 4 } })
  for (const [conduct, page] of [
    ['succeeds', 1],
    ['fails', 2],
    ['refuses', 3],
  ] as const) {
    it.outside.play(conduct)
    await it.ended((await it.invoke({ page })).id)
  }
  it.outside.play('goes on')
  const { id } = await it.invoke({ page: 4 })
  // Otherwise the hour passes while it is handed over, which is too long for that.
  await it.ended(id, ({ status }) => status === 'running')
  await expect(it.invoke({ page: 5 })).rejects.toMatchObject({ message: like(/an hour/) })
  it.clock.pass(3_600_000)
  await expect(it.invoke({ page: 5 })).rejects.toMatchObject({ message: like(/at once/) })
  await it.segno.invocations.cancel(LOCAL_OWNER, id)
  expect(await it.invoke({ page: 5 })).toMatchObject({ attempts: 0 })
})

verifies(
  'GOV-9',
  'what a run costs is taken from the budget of whoever starts it, and never more than is left',
  async () => {
    const it = await working({ cost: 400 })
    await it.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyCost: 1000 })
    const started = await Promise.allSettled(Array.from({ length: 10 }, (_, page) => it.invoke({ page })))
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const one of started)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'COST_LIMIT', message: like(/budget/) })
    expect((await it.segno.budgets.get(LOCAL_OWNER)).left).toMatchObject({ cost: 200 })
  },
)

verifies('GOV-9', 'a call of a model is paid once, and refused where too little is left', async () => {
  const it = await working({ cost: 400 }, { entry: (model) => ({ ...model, prices: { input: 0, output: 0 } }) })
  await it.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyCost: 700 })
  expect(await it.ask()).toMatchObject({ calls: [{ outcome: 'ok' }] })
  expect((await it.segno.budgets.get(LOCAL_OWNER)).left).toMatchObject({ cost: 300 })
  const { id } = await it.segno.createSession()
  expect(await it.ask('Go.', { sessionId: id })).toMatchObject({ calls: [{ outcome: 'refused' }] })
  expect(it.outside.asked).toHaveLength(1)
})

verifies('GOV-9', 'a call of a model that has no room beside the runs of others costs nothing', async () => {
  const prices = { input: 0, output: 0 }
  const it = await working({ cost: 400, quota: { perHour: 1 } }, { entry: (model) => ({ ...model, prices }) })
  await it.ended((await it.invoke({ page: 9 })).id)
  expect(await it.ask()).toMatchObject({ cost: 0, calls: [{ outcome: 'error', effect: 'none' }] })
  expect(it.outside.asked).toHaveLength(1)
})
