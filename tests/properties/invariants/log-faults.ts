import type { StoredEvent } from '../../../src/contract/event.ts'
import { answerFaults } from './answers.ts'
import { callFaults } from './calls.ts'
import { gateFaults } from './gate.ts'
import { orderFaults } from './order.ts'
import { phaseFaults } from './phases.ts'
import { roundLogs } from './round-logs.ts'
import { turnFaults } from './turns.ts'

/** Everything that must hold of a whole log and does not, in sentences. `answers`: what the model said, by round. */
export function logFaults(log: readonly StoredEvent[], answers: ReadonlyMap<string, readonly string[]>): string[] {
  const rounds = roundLogs(log)
  return [
    ...orderFaults(log, rounds),
    ...rounds.flatMap((round) => [
      ...turnFaults(round),
      ...callFaults(log, round),
      ...phaseFaults(round),
      ...gateFaults(log, round),
      ...answerFaults(round, answers.get(round.requestId) ?? []),
    ]),
  ]
}
