import { expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'

const HOUR = 3_600_000

/** A tool that may be used only so often, and a model that uses it so many times in a turn. */
async function using(more: Partial<Tool>, times = 1, opening: Opening = {}) {
  let now = Date.parse('2026-03-01T12:00:00Z')
  const tool = probe('scan', { ...more })
  const calls = Array.from({ length: times }, (_, n) => ({ name: 'scan', args: { n } }))
  const segno = await segnoUnderTest({
    tools: [tool],
    turns: [{ calls }, { text: 'Done.' }],
    clock: { now: () => now },
    ...opening,
  })
  async function codes(options: { sessionId?: string; actor?: Actor } = {}) {
    const answered = await segno.ask('Go.', options)
    expect(answered).toMatchObject({ finishReason: 'complete', content: 'Done.' })
    return said(answered.events, 'tool.result').map(({ code, outcome }) => code ?? outcome)
  }
  return { segno, tool, codes, pass: (ms: number) => void (now += ms) }
}

for (const effect of ['pure', 'unsafe'] as const)
  test(`a ${effect} tool runs as often an hour as it may, and again when the hour is over`, async () => {
    const { codes, tool, pass, segno } = await using({ effect, quota: { perHour: 2 } }, 3)
    expect(await codes()).toEqual(['ok', 'ok', 'QUOTA'])
    expect(await codes()).toEqual(['QUOTA', 'QUOTA', 'QUOTA'])
    expect(JSON.stringify(segno.requests.at(-1)?.prompt)).toContain('scan may be called 2 times an hour')
    pass(HOUR + 1)
    expect(await codes()).toEqual(['ok', 'ok', 'QUOTA'])
    expect(tool.runs).toHaveLength(4)
  })

test('a quota is of everybody in a tenant together, and of no other tenant', async () => {
  const { codes, segno } = await using({ quota: { perHour: 1 } })
  const as = async (id: string, tenant: string) => {
    const actor: Actor = { id, kind: 'user', tenant, permissions: ['*'] }
    const { id: sessionId } = await segno.segno.createSession({}, { actor })
    return codes({ actor, sessionId })
  }
  expect(await as('ada', 'acme')).toEqual(['ok'])
  expect(await as('bob', 'acme')).toEqual(['QUOTA'])
  expect(await as('ada', 'rival')).toEqual(['ok'])
})

test('what the operator says counts, whatever the tool declares', async () => {
  const policy = { tools: { scan: { quota: { perHour: 0 } } } }
  expect(await (await using({ quota: { perHour: 9 } }, 1, { policy })).codes()).toEqual(['QUOTA'])
})

/** A tool of which one may run at a time, and which waits to be let go. */
async function running(opening: Opening = {}) {
  const waiting: (() => void)[] = []
  let begun = () => {}
  const started = () => new Promise<void>((resolve) => (begun = resolve))
  const scan: Partial<Tool> = {
    effect: 'unsafe',
    quota: { concurrent: 1 },
    run: (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(''))
        waiting.push(() => resolve('scanned'))
        begun()
      }),
  }
  const it = await using(scan, 1, opening)
  const first = started()
  const round = await it.segno.send()
  await first
  return { ...it, round, started, letGo: () => waiting.splice(0).forEach((go) => go()) }
}

test('one that may run once at a time runs again when its result is there', async () => {
  const { codes, round, started, letGo, segno } = await running()
  const { id: sessionId } = await segno.segno.createSession()
  expect(await codes({ sessionId })).toEqual(['QUOTA'])
  letGo()
  expect(await round.completion).toMatchObject({ calls: [{ outcome: 'ok' }] })
  const again = started()
  const next = codes({ sessionId })
  await again
  letGo()
  expect(await next).toEqual(['ok'])
})

test('and after Segno died while it ran', async () => {
  const { round, started, letGo, segno } = await running({ limits: { DRAIN_MS: 0 } })
  await segno.reopen()
  expect(await segno.segno.completion(segno.sessionId, round.requestId)).toMatchObject({
    calls: [{ outcome: 'unknown' }],
  })
  const { id: sessionId } = await segno.segno.createSession()
  const again = started()
  const next = segno.ask('Go.', { sessionId })
  await again
  letGo()
  expect(await next).toMatchObject({ calls: [{ outcome: 'ok' }] })
})

test('and when it was cancelled', async () => {
  const { round, started, letGo, segno } = await running()
  await segno.segno.rounds.cancel(LOCAL_OWNER, segno.sessionId, round.requestId)
  await round.completion
  const { id: sessionId } = await segno.segno.createSession()
  const again = started()
  const next = segno.ask('Go.', { sessionId })
  await again
  letGo()
  expect(await next).toMatchObject({ calls: [{ outcome: 'ok' }] })
})
