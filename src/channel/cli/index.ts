export { serveCommand, type Server } from './serve-command.ts'
