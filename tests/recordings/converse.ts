import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { StoredEvent } from '../../src/contract/event.ts'
import type { Protocol } from '../../src/contract/outcome.ts'
import type { Completion } from '../../src/contract/turn.ts'
import { requestChecker, sealsIn } from './check-request.ts'
import { ORDINARY, ordinaryFrames } from './ordinary.ts'
import { markOf, type Answer } from './playing-server.ts'
import type { Recording } from './read-recording.ts'
import type { Run, Stage } from './stage.ts'
import { watchClient } from './watch-client.ts'

export interface Conversation {
  /** the round in which the recording was played */
  readonly played: Completion
  /** all of the session's log */
  readonly events: readonly StoredEvent[]
  readonly runs: readonly Run[]
  /** how often the recorded turn was asked for */
  readonly attempts: number
  /** why the session could not go on as it should; empty if it could */
  readonly troubles: readonly string[]
}

let plays = 0
/** Nothing here waits for anything but the loopback server. */
const STUCK_MS = 20_000

/**
 * Sends a message that is answered as `answerTo` says (an attempt is a try at the recorded turn, from 1), then another
 * that is answered with a short text. Everything else the model is asked gets that text too.
 */
export async function converse(
  stage: Stage,
  recording: Recording,
  protocol: Protocol,
  answerTo: (attempt: number) => Answer,
): Promise<Conversation> {
  const { segno, server } = stage
  const mark = markOf(++plays)
  const check = requestChecker(recording)
  const ordinary: Answer = { pieces: [Buffer.concat(ordinaryFrames(recording))], ending: 'end' }
  const troubles: string[] = []
  let first: string | undefined
  let attempts = 0
  let seals: readonly string[] = protocol === 'unified' ? recording.contents.seals : []
  server.add(mark, (body, text) => {
    troubles.push(...check(body).map((fault) => `the provider would refuse a request: ${fault}`))
    first ??= text
    if (text === first) return answerTo(++attempts)
    // The first request after the recorded turn answers its calls, if any were carried out, or the next message.
    const isWhole = stage.runs(sessionId).length > 0 || (recording.contents.calls.length === 0 && attempts === 1)
    if (isWhole) troubles.push(...missing(seals, sealsIn(body)))
    seals = []
    return ordinary
  })

  const model = stage.model(recording.provider, recording.modelId)
  const { id: sessionId } = await segno.createSession({ model, protocol })
  const client = watchClient(segno, sessionId)
  try {
    const played = await sent(`Play ${mark}, please.`)
    const next = await sent('And now?')
    if (next.finishReason !== 'complete' || next.content !== ORDINARY)
      troubles.push(`the next message ended with ${next.finishReason}: ${next.error ?? next.content}`)
    const events = await segno.sessions.events(LOCAL_OWNER, sessionId)
    troubles.push(...(await client.end(events)).map((fault) => `a client sees something else: ${fault}`))
    return { played, events, runs: stage.runs(sessionId), attempts, troubles: [...new Set(troubles)] }
  } finally {
    server.remove(mark)
  }

  async function sent(content: string): Promise<Completion> {
    const { requestId, completion } = await segno.streamRequest(sessionId, content)
    const ended = await inTime(completion, `the round of ${recording.name}`)
    await inTime(client.roundEnded(requestId), `the client of ${recording.name}`)
    return ended
  }
}

function missing(owed: readonly string[], given: readonly string[]): string[] {
  return owed
    .filter((seal) => !given.includes(seal))
    .map((seal) => `what must come back with the results does not: ${seal.slice(0, 20)}…`)
}

async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const stuck = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has not ended within ${STUCK_MS} ms`)), STUCK_MS)
  })
  try {
    return await Promise.race([promise, stuck])
  } finally {
    clearTimeout(timer)
  }
}
