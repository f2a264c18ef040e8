import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { delay } from '../../src/lib/delay.ts'
import type { Driving } from './drive-episode.ts'
import { hear } from './hear.ts'

/**
 * Whoever was handed work of this round gives its result once the round waits for it; in the next life again, where
 * nobody acknowledged it. Never resolves.
 */
export async function giveResults(
  { segno, store, episode, known, hit, fork }: Driving,
  sessionId: string,
  requestId: string,
  signal: AbortSignal,
): Promise<never> {
  const by = episode.by === 'workflow' ? 'workflow' : 'result'
  if (!episode.later && by === 'result') return new Promise(() => {})
  while (!signal.aborted) {
    const { state, waitingFor } = await segno.rounds.get(LOCAL_OWNER, requestId)
    const events = state === 'waiting' && waitingFor === by ? await store.read(sessionId) : []
    const over = new Set(events.flatMap((event) => (event.type === 'tool.result' ? [event.data.callId] : [])))
    for (const event of events) {
      if (event.type !== 'tool.submitted' || event.requestId !== requestId) continue
      const { callId, ref } = event.data
      if (over.has(callId) || known.answered.includes(callId)) continue
      if (by === 'result') hit('waiting for result')
      if (episode.fork === 'waiting') await fork(episode, sessionId)
      const content = `did ${ref} in the end`
      if (by === 'workflow')
        await segno.invocations.report({ actor: LOCAL_OWNER }, ref, { status: 'success', output: content })
      else await segno.rounds.answerCall(LOCAL_OWNER, { sessionId, callId }, { output: content })
      hear({ type: 'result', sessionId, callId, content })
      known.answered.push(callId)
      hit(by === 'workflow' ? 'workflow result acknowledged' : 'result acknowledged')
    }
    await delay(2)
  }
  return new Promise(() => {})
}
