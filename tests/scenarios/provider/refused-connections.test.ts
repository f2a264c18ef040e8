import { afterEach, beforeEach, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { answers, WELL } from '../../support/faulty-provider/plays.ts'
import { WIRE_NAMES, WIRES } from '../../support/faulty-provider/wires.ts'
import { verifies } from '../../support/verifies.ts'
import { said } from './support/fault.ts'
import { openStage, type Stage } from './support/stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage({ TOTAL_MS: 60_000, CONNECT_MS: 20_000, CONTENT_GAP_MS: 30_000, MODEL_CALL_MS: 60_000 })
})
afterEach(() => stage.close())

const FAILED = 'the connection to the model failed'

/** A message in a conversation of its own with every provider, in both protocols. */
async function ask() {
  const { segno, plan } = stage
  const { mark } = plan(() => answers)
  const kinds = WIRE_NAMES.flatMap((name) => [[name, 'unified'] as const, [name, 'triggered'] as const])
  return Promise.all(
    kinds.map(async ([name, protocol]) => {
      const { id } = await segno.createSession({ model: WIRES[name].model, protocol })
      return { id, mark, name, protocol, round: await segno.streamRequest(id, `Look ${mark}.`) }
    }),
  )
}

verifies(
  'COO-6',
  'a provider that refuses connections is asked four times, and the session goes on when it is back',
  async () => {
    await stage.provider.shut()
    const asked = await ask()
    for (const { id, name, protocol, round } of asked) {
      const { finishReason } = await round.completion
      const events = await stage.segno.sessions.events(LOCAL_OWNER, id)
      expect({ name, protocol, finishReason }).toEqual({ name, protocol, finishReason: 'error' })
      expect(said(events, 'turn.retried').map(({ reason }) => reason)).toEqual([FAILED, FAILED, FAILED])
      expect(said(events, 'notice').map(({ text }) => text)).toEqual([`The model call failed: ${FAILED}.`])
    }
    await stage.provider.reopen()
    for (const { id, mark } of asked) {
      const { completion } = await stage.segno.streamRequest(id, `And now, ${mark}?`)
      expect(await completion).toMatchObject({ finishReason: 'complete', content: WELL })
    }
  },
)

verifies('COO-6', 'a provider that is back before the last attempt answers', async () => {
  await stage.close()
  stage = await openStage({ TOTAL_MS: 60_000, CONNECT_MS: 20_000, CONTENT_GAP_MS: 30_000, RETRY_BASE_MS: 500 })
  await stage.provider.shut()
  const asked = await ask()
  for (const { id } of asked) await retried(id)
  await stage.provider.reopen()
  for (const { round } of asked)
    expect(await round.completion).toMatchObject({ finishReason: 'complete', content: WELL })
})

async function retried(sessionId: string): Promise<void> {
  for await (const frame of stage.segno.follow(sessionId))
    if (frame.kind === 'event' && frame.event.type === 'turn.retried') return
}
