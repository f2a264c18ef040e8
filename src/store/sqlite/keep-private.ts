import { chmodSync } from 'node:fs'

/**
 * Lets nobody but its owner read a database, also in a folder that is open to all. Never by opening the file: closing it
 * again would give up the lock SQLite has on it.
 */
export function keepPrivate(file: string): void {
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      chmodSync(one, 0o600)
    } catch {
      // It is not there, or belongs to somebody else, who then says who may read it.
    }
  }
}
