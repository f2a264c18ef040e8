export { readConfig, type Config, type LogLevel, type Settings } from './config.ts'
export { readConfigFile } from './config-file.ts'
export { describeSettings, type SettingView } from './describe-settings.ts'
export { LIMITS, type LimitName, type Limits } from './limits.ts'
export {
  bashLimits,
  breakerLimits,
  contentLimits,
  coordinatorLimits,
  egressLimits,
  httpSettings,
  loopSettings,
  mcpLimits,
  reasoning,
  roundLimits,
  webLimits,
} from './rooms.ts'
