export type { SqliteOptions } from './open-database.ts'
export { openSqliteFile, openSqliteStore } from './sqlite-store.ts'
