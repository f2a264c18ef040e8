import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { PROTOCOLS, type Protocol } from '../../src/contract/outcome.ts'
import { ofType } from '../properties/invariants/round-logs.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { openStoreOf } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { openContinuing, POINTS, written, type Point } from './continuing.ts'

const CHILD = fileURLToPath(new URL('continue-child.ts', import.meta.url))

for (const protocol of PROTOCOLS)
  for (const point of POINTS)
    verifies(
      ['GOV-7', 'REL-1', 'REL-2'],
      `${protocol}: a process that continues a round is killed ${point}: one round goes on, and nothing is done twice`,
      () => killed(protocol, point),
      120_000,
    )

async function killed(protocol: Protocol, point: Point): Promise<void> {
  const home = tempFolder()
  const child = spawn(process.execPath, ['--conditions=segno-source', CHILD, home, protocol, point])
  let said = ''
  child.stderr.on('data', (text) => (said += String(text)))
  expect([await once(child, 'exit'), said]).toEqual([[null, 'SIGKILL'], ''])

  const segno = await openContinuing(home, false, () => {})
  onTestFinished(() => segno.close())
  const { items } = await segno.sessions.list(LOCAL_OWNER, { search: 'Letters' })
  const sessionId = items[0]?.id ?? ''
  const events = () => segno.sessions.events(LOCAL_OWNER, sessionId)
  const [first] = ofType(await events(), 'round.started')
  // Whoever asked was not answered, and asks again.
  const { requestId } = await segno.rounds.continue(LOCAL_OWNER, first?.data.requestId ?? '')
  const { finishReason } = await segno.completion(sessionId, requestId)
  expect(finishReason).toBe('tool_limit')

  const log = await events()
  expect(ofType(log, 'round.started').map(({ data }) => data.continues)).toEqual([undefined, first?.data.requestId])
  expect(ofType(log, 'message.user').map(({ data }) => data.own)).toEqual([undefined, true])
  // The call that had started may not run again, so its effect is unknown.
  const lost = point === 'after a call of it has started' ? ['cid'] : []
  expect(written(home)).toEqual(['ann', 'bob', 'cid', 'dan'].filter((who) => !lost.includes(who)))
  await segno.close()
  const store = await openStoreOf(home)
  onTestFinished(() => store.close())
  expect(await store.pendingInputs(sessionId)).toEqual([])
  expect(await store.check()).toMatchObject({ ok: true, findings: [] })
}
