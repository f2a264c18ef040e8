export {
  createCoordinator,
  type Accepted,
  type Coordinator,
  type CoordinatorLimits,
  type OnBusy,
} from './coordinator.ts'
export { createFiles } from './files.ts'
export type { Hands, Settings } from './hands.ts'
export { offeredTools } from './offered-tools.ts'
export { createReadings, type PromptReading, type Readings } from './readings.ts'
export type { Decision } from './peoples-part.ts'
export { createRounds, type RoundDefaults, type Rounds, type SendOptions } from './rounds.ts'
export { createSessions, type NewSession, type SessionChecks, type Sessions } from './sessions.ts'
