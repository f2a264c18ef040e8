import { acknowledgedCancels, acknowledgedEvents, acknowledgedInputs, acknowledgedSessions } from './acknowledged.ts'
import { decisions } from './decisions.ts'
import { effectsOnce, effectsOfResults, keysOfCalls, startsFirst } from './effects.ts'
import type { Check, Evidence, Violation } from './evidence.ts'
import { episodesEndWell, goesOn, nobodyIsAskedInVain, processesAreThere, roundsEnd } from './going-on.ts'
import { results } from './results.ts'
import { callsInOrder, gapless, nothingInherited, noModelWhileOpen, onlyAppends } from './log-order.ts'

const CHECKS: readonly Check[] = [
  acknowledgedEvents,
  acknowledgedInputs,
  acknowledgedSessions,
  acknowledgedCancels,
  gapless,
  onlyAppends,
  decisions,
  results,
  startsFirst,
  effectsOnce,
  effectsOfResults,
  keysOfCalls,
  callsInOrder,
  noModelWhileOpen,
  nothingInherited,
  roundsEnd,
  episodesEndWell,
  nobodyIsAskedInVain,
  processesAreThere,
  goesOn,
]

/** Everything that is wrong with one home; nothing, if all is well. */
export function checkAll(evidence: Evidence): Violation[] {
  return CHECKS.flatMap((check) => check(evidence))
}
