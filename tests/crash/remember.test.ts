import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { ofType } from '../properties/invariants/round-logs.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { openStoreOf } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { FACTS, FORMS, openRemembering, POINTS, type Form, type Point } from './remembering.ts'

const CHILD = fileURLToPath(new URL('remember-child.ts', import.meta.url))
/** Longer than the lease of a job. */
const LATER = 120_000

for (const form of FORMS)
  for (const point of POINTS)
    verifies(
      ['GOV-18', 'GOV-20', 'REL-1'],
      `what a ${form} wants remembered is there once if the process is killed ${point}`,
      () => killed(form, point),
      120_000,
    )

async function killed(form: Form, point: Point): Promise<void> {
  const home = tempFolder()
  const child = spawn(process.execPath, ['--conditions=segno-source', CHILD, home, form, point])
  let said = ''
  child.stderr.on('data', (text) => (said += String(text)))
  expect([await once(child, 'exit'), said]).toEqual([[null, 'SIGKILL'], ''])

  const segno = await openRemembering(
    home,
    form,
    () => {},
    () => Date.now() + LATER,
  )
  onTestFinished(() => segno.close())
  const { items } = await segno.sessions.list(LOCAL_OWNER)
  const sessionId = items[0]?.id ?? ''
  const events = () => segno.sessions.events(LOCAL_OWNER, sessionId)
  const memories = async () => (await Array.fromAsync(segno.memories.all(LOCAL_OWNER))).map(({ content }) => content)
  await expect
    .poll(async () => [ofType(await events(), 'round.ended').length, (await segno.jobs.list(LOCAL_OWNER)).items.length])
    .toEqual([1, 0])
  expect((await memories()).toSorted()).toEqual([...FACTS].toSorted())
  const [message] = ofType(await events(), 'message.user')
  for await (const { eventId } of segno.memories.all(LOCAL_OWNER)) expect(eventId).toBe(message?.id)
  expect(ofType(await events(), 'round.ended')[0]?.data.finishReason).toBe('complete')

  await segno.close()
  const store = await openStoreOf(home)
  onTestFinished(() => store.close())
  expect((await store.outbox(0, 10)).map(({ type }) => type)).toEqual(['memory.created', 'memory.created'])
  expect(await store.check()).toMatchObject({ ok: true, findings: [] })
}
