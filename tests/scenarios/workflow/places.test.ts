import { expect } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { verifies } from '../../support/verifies.ts'
import { automated } from '../automation/support/automated.ts'

const PLACES = 4
const SHARE = 3

/** Segno with few places, and an other side that answers nothing before it is told to. */
async function crowded() {
  const it = await automated({ limits: { INVOCATIONS_AT_ONCE: PLACES } })
  const answered = Promise.withResolvers<void>()
  it.outside.answer(async () => {
    await answered.promise
    return {}
  })
  const invoke = (actor: Actor, workflowId: string, page: number) =>
    it.segno.invocations.invoke(actor, workflowId, { page })
  return { ...it, invoke, answer: answered.resolve }
}

/** All at once. */
const pages = Array.from({ length: 5 * PLACES }, (_, page) => page)

verifies('GOV-12', 'of many runs that begin at once no more are handed over than one workflow may have', async () => {
  const it = await crowded()
  const { id } = await it.workflow('slow')
  await Promise.all(pages.map((page) => it.invoke(LOCAL_OWNER, id, page)))
  await it.outside.until('/slow', SHARE)
  // Whatever was begun too much has arrived before this.
  const other = await it.person('eve', 'admin', 'elsewhere')
  const { id: late } = await it.workflow('late', {}, other.actor)
  await it.invoke(other.actor, late, 0)
  await it.outside.until('/late')
  expect(it.outside.to('/slow')).toHaveLength(SHARE)
  it.answer()
  await it.outside.until('/slow', pages.length)
})

verifies('GOV-12', 'a run of another tenant begins while one tenant has more than are handed over', async () => {
  const it = await crowded()
  const { id: one } = await it.workflow('one')
  const { id: two } = await it.workflow('two')
  const other = await it.person('eve', 'admin', 'elsewhere')
  const { id: theirs } = await it.workflow('theirs', {}, other.actor)
  for (const page of pages) await it.invoke(LOCAL_OWNER, page % 2 === 0 ? one : two, page)
  await it.invoke(other.actor, theirs, 0)
  await it.outside.until('/theirs')
  expect(it.outside.all).toHaveLength(PLACES)
  it.answer()
})
