export {
  createCoordinator,
  type Accepted,
  type Coordinator,
  type CoordinatorLimits,
  type OnBusy,
} from './coordinator.ts'
export type { Hands, Settings } from './hands.ts'
export { createRounds, type Decision, type RoundDefaults, type Rounds, type SendOptions } from './rounds.ts'
export { createSessions, type NewSession, type Sessions } from './sessions.ts'
