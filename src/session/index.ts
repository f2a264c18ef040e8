export { builtChars } from './addresses.ts'
export { close, overdueResult, recorded, resultOf, roundEnded, settled, staleQuestion } from './close.ts'
export { actsInOrder, foldInput, interruption, startOfRound } from './fold-input.ts'
export {
  evolveTexts,
  hiddenUpTo,
  messageChars,
  openExchanges,
  retrievedIn,
  seqOf,
  type Exchange,
  type History,
} from './history.ts'
export { createImport } from './import-log.ts'
export { runningTime, needsSlot, nextStep, type Step } from './next-step.ts'
export { phaseChanges } from './phases.ts'
export { answerLost, isHopeless, isSuspect, lostAsk, takeOver } from './recover.ts'
export { findCall, openCalls, type Answered, type Call } from './call-state.ts'
export { runningTimeBefore, forgetReservations, modelCalls, type OpenTurn, type Round } from './round-state.ts'
export {
  emptySession,
  evolve,
  exactKey,
  fold,
  foreignLabel,
  labelOf,
  rememberKey,
  type SessionState,
} from './session-state.ts'
export { fromSnapshot, SNAPSHOT_VERSION, snapshotOf } from './snapshot.ts'
export { toMessages, type Presenting } from './to-messages.ts'
