export { createHttpEngine } from './http-engine.ts'
