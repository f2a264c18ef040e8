import type { Deps } from './deps.ts'

/** Enough for a few rounds, whose every turn sends its files again. */
const KEPT_BYTES = 32_000_000

/** Reads files by their hash and caches the most recently used. */
export function createFiles(
  read: (hash: string) => Promise<Uint8Array | undefined>,
  keptBytes = KEPT_BYTES,
): Deps['files'] {
  const kept = new Map<string, Uint8Array>()
  let total = 0

  function keep(hash: string, bytes: Uint8Array): void {
    total += bytes.length - (kept.get(hash)?.length ?? 0)
    // Moves it to the end, the most recently used.
    kept.delete(hash)
    kept.set(hash, bytes)
    for (const [oldest, { length }] of kept) {
      if (total <= keptBytes) return
      kept.delete(oldest)
      total -= length
    }
  }

  return async (hashes) => {
    const found = new Map<string, Uint8Array>()
    for (const hash of new Set(hashes)) {
      const bytes = kept.get(hash) ?? (await read(hash))
      if (!bytes) continue
      keep(hash, bytes)
      found.set(hash, bytes)
    }
    return found
  }
}
