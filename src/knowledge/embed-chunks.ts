import type { Chunk, ChunkRef } from '../contract/knowledge.ts'
import { Problem } from '../contract/problem.ts'
import type { VectorView } from '../contract/views.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import { chunkKey, type AccountStore, type JobStore, type KnowledgeStore } from '../store/index.ts'
import { createAsking, type Embedding, type QuestionVector } from './embed-question.ts'

export interface VectorOptions {
  readonly clock: Clock
  /** the configured model */
  readonly embedder: Embedding
  /** The model with this key, if this configuration can still use it. */
  embedderOf(key: string): Embedding | undefined
  /** how long who asks waits for a question to be embedded */
  readonly retrievalMs: number
  /** how often embedding may fail before it is tried only once in a while */
  readonly attempts: number
  /** Called when it begins to fail; `reason` has no content. */
  onFailure?(reason: string): void
  /** Called once when it failed often. */
  onParked?(reason: string): void
}

type VectorStore = Pick<KnowledgeStore, 'hasVectors' | 'unembedded' | 'putVectors' | 'embedded' | 'keepVectorsOf'> &
  Pick<AccountStore, 'values' | 'putValue'> &
  Pick<JobStore, 'takeSweeps'>
type Unembedded = ChunkRef & Chunk

const AREA = 'knowledge'
const SEARCHING = 'model'
const BATCH = 16
/** One process of all works for so long before another one may. */
const TURN_MS = 10_000
const RETRY_MS = 5000
const LONGEST_RETRY_MS = 60 * 60 * 1000
/** Tells a model that fails from a text that it cannot embed. */
const PLAIN = 'A plain sentence.'

/**
 * Vectors of all chunks. They are made in the background; with another model all are made anew, while search goes on
 * with those of the model before.
 */
export function createVectors(store: VectorStore, options: VectorOptions) {
  const { clock, embedder, attempts } = options
  const { key } = embedder
  const ask = createAsking(options.retrievalMs)
  /** chunks that this model cannot embed, by `wordsKey` */
  const refused = new Set<string>()
  let failures = 0
  let failure: string | undefined
  let turnEnds = 0
  let isSettled = false
  let waking = new AbortController()

  async function searching(): Promise<string> {
    const { [SEARCHING]: stored } = await store.values(AREA)
    return typeof stored === 'string' ? stored : key
  }

  async function isOurTurn(): Promise<boolean> {
    if (clock.now() < turnEnds) return true
    if ((await store.takeSweeps(['embedding'], TURN_MS)).length === 0) return false
    turnEnds = clock.now() + TURN_MS
    return true
  }

  /** Searches use this model from now on, and no other vectors stay. */
  async function settle(): Promise<void> {
    if (isSettled) return
    const { [SEARCHING]: stored } = await store.values(AREA)
    if (stored !== key) await store.putValue(AREA, SEARCHING, key, clock.now())
    await store.keepVectorsOf(key)
    isSettled = true
  }

  /** Embeds some chunks; false if there is nothing to do now. */
  async function step(signal: AbortSignal): Promise<boolean> {
    if (!(await isOurTurn())) return false
    const found = await store.unembedded(key, BATCH + refused.size)
    const chunks = found.filter((one) => !refused.has(wordsKey(one)))
    if (chunks.length === 0) {
      await settle()
      return false
    }
    // Asked last, because looking for it loads it.
    if (!store.hasVectors) return false
    await store.putVectors(key, await embedded(chunks, signal))
    return true
  }

  async function embedded(chunks: readonly Unembedded[], signal: AbortSignal) {
    const vectors = await embedder.embed(chunks.map(textOf), signal).catch(async () => {
      signal.throwIfAborted()
      // It throws the model's own failure if there is one.
      await embedder.embed([PLAIN], signal)
      if (chunks.length === 1) return [undefined]
      return eachAlone(chunks, signal)
    })
    return chunks.flatMap((chunk, at) => {
      const vector = vectors[at]
      if (vector) return [{ ...chunk, vector }]
      refused.add(wordsKey(chunk))
      return []
    })
  }

  async function eachAlone(chunks: readonly Unembedded[], signal: AbortSignal) {
    const vectors: (Float32Array | undefined)[] = []
    for (const chunk of chunks) {
      const [vector] = await embedder.embed([textOf(chunk)], signal).catch(() => [])
      signal.throwIfAborted()
      vectors.push(vector)
    }
    return vectors
  }

  /** How long to wait before the next step. */
  async function attempt(signal: AbortSignal): Promise<number> {
    try {
      const wait = (await step(signal)) ? 0 : TURN_MS
      failures = 0
      failure = undefined
      return wait
    } catch (error) {
      if (signal.aborted) return 0
      failures += 1
      const code = codeOf(error)
      // A problem says in words of ours what is to be done.
      failure = error instanceof Problem ? error.message.replace(/\.$/, '') : code
      if (failures === 1) options.onFailure?.(code)
      if (failures === attempts) options.onParked?.(code)
      return failures >= attempts ? LONGEST_RETRY_MS : Math.min(RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS)
    }
  }

  return {
    /** The question as a vector that can be compared with those of chunks. */
    async vectorOf(text: string, tenant: string): Promise<QuestionVector | undefined> {
      const model = await searching()
      const chosen = model === key ? embedder : options.embedderOf(model)
      return chosen && ask(chosen, text, tenant)
    },
    /** The same as a vector of the configured model. */
    async vectorOfConfigured(text: string, tenant: string): Promise<QuestionVector | undefined> {
      return ask(embedder, text, tenant)
    },
    async view(): Promise<VectorView> {
      const model = await searching()
      return {
        model: key,
        hasVectors: store.hasVectors,
        ...(await store.embedded(key)),
        ...(model !== key && { searching: model }),
        ...(failure !== undefined && { failure }),
      }
    },
    /** There are new chunks; a model that fails is left alone all the same. */
    wake(): void {
      if (failures === 0) waking.abort()
    },
    /** Begins to embed in the background. */
    start(): { stop(): Promise<void> } {
      const stopping = new AbortController()
      const running = (async () => {
        while (!stopping.signal.aborted) {
          waking = new AbortController()
          const wait = await attempt(stopping.signal)
          await pause(wait, AbortSignal.any([stopping.signal, waking.signal]))
        }
      })()
      return {
        async stop() {
          stopping.abort()
          await running
        },
      }
    },
  }
}

/** Like `delay`, but does not keep the process alive. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref()
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** A draft that is overwritten has other words under the same numbers. */
const wordsKey = (chunk: Unembedded): string => `${chunkKey(chunk)} ${sha256(textOf(chunk))}`

const textOf = ({ place, text }: Chunk): string => `${place}\n${text}`

/** Its code or name, which has no content. */
function codeOf(error: unknown): string {
  const code = error instanceof Error ? ((error as { code?: unknown }).code ?? error.name) : 'Error'
  return typeof code === 'string' && /^[A-Za-z]\w{0,63}$/.test(code) ? code : 'Error'
}
