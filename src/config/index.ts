export { readConfig, type Config, type LogLevel, type Settings } from './config.ts'
export { readConfigFile } from './config-file.ts'
export { LIMITS, type LimitName, type Limits } from './limits.ts'
export { breakerLimits, contentLimits, coordinatorLimits, httpSettings, loopSettings, roundLimits } from './rooms.ts'
