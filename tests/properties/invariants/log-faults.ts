import type { StoredEvent } from '../../../src/contract/event.ts'
import { answerFaults } from './answers.ts'
import { callFaults } from './calls.ts'
import { gateFaults } from './gate.ts'
import { orderFaults } from './order.ts'
import { phaseFaults } from './phases.ts'
import { roundLogs } from './round-logs.ts'
import { turnFaults } from './turns.ts'

/** What was seen beside the log: what the model said, by round; which definition of its tool a call was started with. */
interface Seen {
  readonly answers: ReadonlyMap<string, readonly string[]>
  readonly definitions: ReadonlyMap<string, string>
}

/** Everything that must hold of a whole log and does not, in sentences. */
export function logFaults(log: readonly StoredEvent[], { answers, definitions }: Seen): string[] {
  const rounds = roundLogs(log)
  return [
    ...orderFaults(log, rounds),
    ...rounds.flatMap((round) => [
      ...turnFaults(round),
      ...callFaults(log, round),
      ...phaseFaults(round),
      ...gateFaults(log, round, definitions),
      ...answerFaults(round, answers.get(round.requestId) ?? []),
    ]),
  ]
}
