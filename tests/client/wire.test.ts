import { expectTypeOf, test } from 'vitest'
import type { callBody, listedRoundBody, roundBody, sessionBody } from '../../src/channel/http/bodies.ts'
import type { DoubtfulCall, Round, RoundSummary, Session } from '../../src/client/index.ts'

test('the server writes what the client reads', () => {
  expectTypeOf<ReturnType<typeof sessionBody>>().toExtend<Session>()
  expectTypeOf<ReturnType<typeof callBody>>().toExtend<DoubtfulCall>()
  expectTypeOf<ReturnType<typeof listedRoundBody>>().toExtend<RoundSummary>()
  expectTypeOf<Omit<ReturnType<typeof roundBody>, 'calls'>>().toExtend<Omit<Round, 'calls'>>()
})
