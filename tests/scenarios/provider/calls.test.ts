import { afterAll, beforeAll, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Play } from '../../support/faulty-provider/exchange.ts'
import { answers, LOOK_ARGS, WELL } from '../../support/faulty-provider/plays.ts'
import { WIRE_NAMES, WIRES } from '../../support/faulty-provider/wires.ts'
import { verifies } from '../../support/verifies.ts'
import { said } from './support/fault.ts'
import { openStage, type Stage } from './support/stage.ts'
import { tryOut } from './support/trial.ts'

let stage: Stage
beforeAll(async () => {
  const patient = { TOTAL_MS: 60_000, CONNECT_MS: 20_000, CONTENT_GAP_MS: 30_000, MODEL_CALL_MS: 60_000 }
  stage = await openStage(patient)
})
afterAll(() => stage.close())

/** A whole call, after which the answer is not at its end. */
const callsAndGoesOn: Play = async ({ say, open, send, gone, wait }) => {
  open()
  await send(say.begin() + say.call(JSON.stringify(LOOK_ARGS)) + say.callEnd())
  while (!gone.aborted) {
    await send(say.keepAlive)
    await wait(20)
  }
}
const callsAndBreaksOff: Play = async ({ say, open, send, wait, socket }) => {
  open()
  await send(say.begin() + say.call(JSON.stringify(LOOK_ARGS)) + say.callEnd())
  await wait(50)
  socket.destroy()
}

for (const name of WIRE_NAMES.filter((one) => WIRES[one].endsCalls)) {
  verifies(
    'PHA-3',
    `${name}, triggered: a call that is complete is carried out, and the rest is not waited for`,
    async () => {
      const { round, events, looks, troubles, requests } = await tryOut(stage, WIRES[name], 'triggered', (attempt) =>
        attempt === 1 ? callsAndGoesOn : answers,
      )
      expect({ troubles, content: round.content, requests }).toEqual({ troubles: [], content: WELL, requests: 2 })
      expect(looks).toEqual([LOOK_ARGS])
      expect(said(events, 'turn.retried')).toEqual([])
      // What was used is told at the end only; that it was never told is marked.
      expect(said(events, 'turn.ended')[0]?.usage).toMatchObject({ estimated: true })
      expect(round.usage.estimated).toBe(true)
    },
  )

  verifies(
    'PHA-3',
    `${name}, unified: a call of an answer that breaks off is not carried out, and the model is asked again`,
    async () => {
      const { round, events, looks, troubles } = await tryOut(stage, WIRES[name], 'unified', (attempt) =>
        attempt === 1 ? callsAndBreaksOff : answers,
      )
      expect({ troubles, content: round.content }).toEqual({ troubles: [], content: WELL })
      expect(looks).toEqual([])
      expect(said(events, 'turn.retried')).toMatchObject([{ shown: true }])

      const hopeless = await tryOut(stage, WIRES[name], 'unified', () => callsAndBreaksOff)
      expect(hopeless).toMatchObject({
        troubles: [],
        looks: [],
        requests: 2,
        round: { finishReason: 'error', calls: [] },
      })
    },
  )
}

verifies('PHA-3', 'bytes that are no text become a mark in the answer, and nothing else is lost', async () => {
  for (const name of WIRE_NAMES) {
    const { round, troubles } = await tryOut(
      stage,
      WIRES[name],
      'unified',
      () =>
        async ({ say, open, send, response }) => {
          open()
          const bytes = Buffer.from(say.begin() + say.text('a~b') + say.end())
          bytes[bytes.indexOf('~')] = 0xff
          await send(bytes)
          response.end()
        },
    )
    expect({ name, troubles, content: round.content }).toEqual({ name, troubles: [], content: 'a\uFFFDb' })
  }
})

const PIECES = 100_000

for (const name of ['anthropic', 'openai', 'openai-chat'] as const) {
  verifies(
    'PHA-3',
    `${name}: a call whose arguments come in 100,000 pieces is carried out once, with all of them`,
    async () => {
      const { segno } = stage
      const { mark } = stage.plan((attempt) =>
        attempt > 1
          ? answers
          : async ({ open, say, send, response }) => {
              open()
              await send(say.begin() + say.call('{"path":"'))
              for (let at = 0; at < PIECES; at += 1000) await send(say.args(...Array.from({ length: 1000 }, () => 'x')))
              await send(say.args('"}') + say.callEnd() + say.end())
              response.end()
            },
      )
      const { id } = await segno.createSession({ model: WIRES[name].model })
      const { content } = await (await segno.streamRequest(id, `Look ${mark}.`)).completion
      expect(content).toBe(WELL)
      expect(stage.looks(id)).toEqual([{ path: 'x'.repeat(PIECES) }])
      expect(said(await segno.sessions.events(LOCAL_OWNER, id), 'tool.call')).toHaveLength(1)
    },
    120_000,
  )
}
