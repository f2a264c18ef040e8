export { createTemporalEngine } from './temporal-engine.ts'
