import { expect } from 'vitest'
import { openPassive } from '../../src/app.ts'
import { reach } from '../../src/channel/cli/index.ts'
import { cancelRound } from '../../src/channel/cli/topics/rounds.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { segnoUnderTest } from '../support/segno-under-test.ts'
import { storeSettings } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'

verifies('REL-4', 'cancelling a round from a command ends that round, and no other goes on', async () => {
  const it = await segnoUnderTest({
    turns: [{ text: 'A long answer. '.repeat(500), delayMs: 20, deltaChars: 1 }],
    limits: { DRAIN_MS: 1 },
  })
  const { id: other } = await it.segno.createSession()
  const kept = await it.send('Go.', { sessionId: other })
  const { requestId } = await it.send('Go.')
  await it.until('turn.started')
  await it.segno.close()

  const env = await storeSettings(it.home)
  const look = () => openPassive({ home: it.home, env, model: { otherwise: { text: 'Called.' } } })
  const segno = await look()
  const before = await segno.sessions.events(LOCAL_OWNER, other)
  const reached = await reach({ home: it.home, key: undefined, server: undefined, open: async () => segno })
  expect((await cancelRound(reached, requestId)).text).toMatch(/cancelled/i)
  await reached.close()

  const after = await look()
  const stateOf = async (id: string) => (await after.rounds.get(LOCAL_OWNER, id)).state
  expect([await stateOf(requestId), await stateOf(kept.requestId)]).toEqual(['ended', 'running'])
  expect(await after.sessions.events(LOCAL_OWNER, other)).toEqual(before)
  const said = (await after.sessions.events(LOCAL_OWNER, it.sessionId)).filter(
    ({ type }) => type === 'message.assistant',
  )
  expect(JSON.stringify(said)).not.toContain('Called.')
  await after.close()
})
