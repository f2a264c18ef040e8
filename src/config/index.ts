export { readConfig, type Config, type Settings } from './config.ts'
export { LIMITS, type LimitName, type Limits } from './limits.ts'
