import { compose } from '../src/app.ts'
import type { Limits } from '../src/config/index.ts'
import type { Segno } from '../src/segno.ts'
import { HELLO, nothing, script } from './workloads.ts'

export type Durability = 'full' | 'normal'

/** Segno as an embedder gets it, with a scripted model. */
export function openSegno(home: string, durability: Durability, limits: Partial<Limits> = {}): Promise<Segno> {
  return compose({ home, durability, model: script, tools: [nothing], limits, env: {} }, {})
}

/** One round from the message to its completion. */
export async function playRound(segno: Segno, sessionId: string, message: string): Promise<void> {
  const { completion } = await segno.streamRequest(sessionId, message)
  const { finishReason, error } = await completion
  if (finishReason !== 'complete') throw new Error(`the round ended with ${finishReason}: ${error ?? ''}`)
}

/** A session that is in memory already and holds one short exchange. */
export async function freshSession(segno: Segno): Promise<string> {
  const { id } = await segno.createSession()
  await playRound(segno, id, HELLO)
  return id
}

/** A session of `messages` short messages, half of them answers. */
export async function longSession(segno: Segno, messages: number): Promise<string> {
  const { id } = await segno.createSession()
  for (let i = 0; i < messages / 2; i++) await playRound(segno, id, HELLO)
  return id
}
