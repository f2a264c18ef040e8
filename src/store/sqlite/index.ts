export type { SqliteOptions } from './open-database.ts'
export { openSqliteStore } from './sqlite-store.ts'
export { sqliteSource } from './copy-source.ts'
