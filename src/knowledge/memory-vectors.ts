import type { MemoryStore, StoredMemory } from '../store/index.ts'
import type { Embedding } from './embed-question.ts'

/** How many are embedded before somebody else's turn. */
const AT_ONCE = 50
/** Nobody waits for what is done in the background. */
const BACKGROUND_MS = 30_000

/** Vectors of memories; without one, a memory is as near to every question as to any other. */
export function memoryVectors(store: MemoryStore, embedder: Embedding, embedMs: number) {
  const busy = new Set<string>()

  async function vectorOf(content: string, mostMs = embedMs): Promise<Pick<StoredMemory, 'vector'>> {
    try {
      const [values] = await embedder.embed([content], AbortSignal.timeout(mostMs))
      return values ? { vector: { model: embedder.key, values } } : {}
    } catch {
      return {}
    }
  }

  async function addTo(memories: readonly StoredMemory[]): Promise<void> {
    for (const { id, content } of memories) {
      const { vector } = await vectorOf(content, BACKGROUND_MS)
      // Where one cannot be embedded, the next one could not either; it is tried again with the next round.
      if (!vector) return
      await store.putMemoryVector(id, vector)
    }
  }

  return {
    /** None if that fails or takes too long. */
    vectorOf,
    /** Embeds in the background what has no vector of the model in use. */
    catchUp(key: string, memories: readonly StoredMemory[]): void {
      const missing = memories.filter(({ vector }) => vector?.model !== embedder.key).slice(0, AT_ONCE)
      if (missing.length === 0 || busy.has(key)) return
      busy.add(key)
      void addTo(missing)
        .catch(() => {})
        .finally(() => busy.delete(key))
    },
  }
}
