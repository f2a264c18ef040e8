import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import { answersLater, type LaterAnswer, type Tool } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'

export const PROTOCOLS: readonly Protocol[] = ['unified', 'triggered']
export const DAY = 86_400_000

/** A clock that goes on only when a test says so. */
export function heldClock() {
  let now = 1_800_000_000_000
  return { now: () => now, ticks: () => now, pass: (ms: number) => void (now += ms) }
}

/** Segno with a tool `print` that deps its work over, and a model that uses it once. */
export async function handingOver(more: Partial<Tool> = {}, opening: Opening = {}) {
  const print = probe('print', { effect: 'unsafe', run: () => answersLater('job-7'), ...more })
  const it = await segnoUnderTest({
    tools: [print],
    turns: [{ calls: [{ name: 'print', args: { page: 1 } }] }, { text: 'Printed.' }],
    ...opening,
  })
  return {
    ...it,
    get segno() {
      return it.segno
    },
    print,
    /** Sends a message and waits until its round waits for the result. */
    async handOver(protocol: Protocol = 'unified') {
      const { round } = await it.askUntilWaiting('Go.', { protocol })
      return { requestId: round.requestId, callId: print.runs.at(-1)?.ctx.callId ?? '' }
    },
    answer: (callId: string, answer: LaterAnswer = { output: 'on paper' }, actor: Actor = LOCAL_OWNER) =>
      it.segno.rounds.answerCall(actor, { sessionId: it.sessionId, callId }, answer),
    ended: (requestId: string) => it.segno.completion(it.sessionId, requestId),
    async dropped() {
      const { items } = await it.segno.audit.page(LOCAL_OWNER, { action: 'result_dropped' })
      return items.map(({ metadata, severity }) => ({ ...metadata, severity }))
    },
  }
}
