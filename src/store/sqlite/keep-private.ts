import { chmodSync } from 'node:fs'

/**
 * Makes a database readable by its owner only; never by opening it, because closing it again would release SQLite's
 * lock.
 */
export function keepPrivate(file: string): void {
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      chmodSync(one, 0o600)
    } catch {
      // It does not exist or belongs to another user.
    }
  }
}
