import { expect, test } from 'vitest'
import type { Actor } from '../../../src/contract/actor.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { ask } from '../http/ask.ts'
import { DAY, person, working } from './support/working.ts'

const NONE = { pending: 0, running: 0, success: 0, failure: 0, timeout: 0, unknown: 0 }

test('how the last runs of a workflow went is told with it, of those that one may see, for seven days', async () => {
  const it = await working()
  const { segno, workflow, clock } = it
  const user = person('uwe', ['tool:workflow_print'])
  const sums = (actor: Actor = LOCAL_OWNER) => segno.invocations.sums(actor, workflow.id)
  expect(await sums()).toMatchObject(NONE)
  for (const actor of [LOCAL_OWNER, user]) await it.ended((await it.invoke({ page: 1 }, actor.id, actor)).id)
  await expect(sums(person('eve', ['chat:read']))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await sums()).toMatchObject({ ...NONE, success: 2, medianMs: expect.any(Number) as number })
  expect(await sums(user)).toMatchObject({ ...NONE, success: 1 })

  const { body } = await ask(it, 'GET', `/api/workflows/${workflow.id}`)
  const { since, ...counts } = body['runs'] as Record<string, unknown>
  expect(counts).toMatchObject({ ...NONE, success: 2 })
  expect(clock.now() - Date.parse(String(since))).toBeGreaterThanOrEqual(7 * DAY)
  const { items } = (await ask(it, 'GET', '/api/workflows')).body as { items: { runs?: unknown }[] }
  expect(items[0]?.runs).toBeUndefined()

  clock.pass(8 * DAY)
  const again = await sums()
  expect(again).toEqual({ ...NONE, since: again.since })
})
