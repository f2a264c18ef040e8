import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Segno } from '../../../src/segno.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { eventually } from '../library/support/eventually.ts'

/** Segno with room for two sessions in memory, and what it asks of its store. */
function stage() {
  const home = mkdtempSync(join(tmpdir(), 'segno-resting-'))
  let segno: Segno | undefined
  onTestFinished(async () => {
    await segno?.close()
    rmSync(home, { recursive: true, force: true })
  })
  const claims: string[] = []
  const looks = { count: 0, now: async (): Promise<string[]> => [] }
  async function life(): Promise<Segno> {
    await segno?.close()
    claims.length = 0
    segno = await composeUnderTest(
      {
        home,
        env: {},
        durability: 'normal',
        builtInTools: false,
        model: { scenarios: [{ when: '^mail', turns: [{ calls: [{ name: 'mail' }] }, { text: 'Sent.' }] }] },
        tools: [probe('mail', { approval: 'ask' })],
        limits: { MAX_COORDINATORS: 2, DRAIN_MS: 0 },
      },
      {
        store: (open) => {
          const store = open()
          looks.now = store.unfinished
          return {
            ...store,
            claim: (id) => {
              claims.push(id)
              return store.claim(id)
            },
            unfinished: () => {
              looks.count += 1
              return store.unfinished()
            },
          }
        },
      },
    )
    return segno
  }
  return {
    life,
    claims,
    unfinished: () => looks.now(),
    /** Waits until what nobody works on was looked for twice, as happens every second. */
    async twice() {
      const before = looks.count
      await eventually(() => looks.count >= before + 2)
    },
  }
}

verifies('COO-4', 'sessions that wait for a person are left alone, whatever waits behind them', async () => {
  const it = stage()
  const segno = await it.life()
  const rounds: { id: string; second: string }[] = []
  for (let n = 0; n < 5; n += 1) {
    const { id } = await segno.createSession()
    const { requestId } = await segno.rounds.send(LOCAL_OWNER, id, 'mail')
    await eventually(async () => (await segno.rounds.get(LOCAL_OWNER, requestId)).state === 'waiting')
    rounds.push({ id, second: (await segno.rounds.send(LOCAL_OWNER, id, 'and then?')).requestId })
  }
  await eventually(async () => (await it.unfinished()).length === 0)
  it.claims.length = 0
  await it.twice()
  expect(it.claims).toEqual([])

  // Neither does a start look at them, and what is decided goes on as ever.
  const next = await it.life()
  expect(it.claims).toEqual([])
  const [first] = await next.rounds.approvals(LOCAL_OWNER, 'pending')
  const decided = rounds.find(({ id }) => id === first?.sessionId)
  await next.rounds.decide(LOCAL_OWNER, first?.id ?? '', { decision: 'approve' })
  expect(await next.completion(decided?.id ?? '', decided?.second ?? '')).toMatchObject({ finishReason: 'complete' })
  expect(new Set(it.claims)).toEqual(new Set([decided?.id]))
})
