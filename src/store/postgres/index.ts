export { checkDatabase } from './check-server.ts'
export { openPostgres } from './open-postgres.ts'
export type { PostgresOptions } from './base.ts'
export { copyInto } from './copy-into.ts'
