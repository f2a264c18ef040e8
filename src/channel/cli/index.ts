export type { Diagnosis } from './doctor-command.ts'
export { program, type World } from './program.ts'
export { reach } from './reach.ts'
export { serveCommand } from './serve-command.ts'
