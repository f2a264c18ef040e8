import type { Actor } from '../contract/actor.ts'
import { checkLimit } from '../contract/check-limit.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import { MEMORY_CATEGORIES, MEMORY_CHARS, type Memory, type MemoryCategory } from '../contract/memory.ts'
import { need } from '../contract/need.ts'
import { hasConsent, type StoredPreferences } from '../contract/preferences.ts'
import { changedMeanwhile, invalidField, Problem } from '../contract/problem.ts'
import { idFrom, newId } from '../lib/id.ts'
import { keyOf } from '../lib/key-of.ts'
import { sameWords } from '../lib/memory-text.ts'
import {
  keyUsedTwice,
  type AccountStore,
  type MemoryQuery,
  type MemoryStore,
  type Page,
  type StoredMemory,
} from '../store/index.ts'
import type { Embedding } from './embed-question.ts'
import { memoryVectors } from './memory-vectors.ts'
import { noteMemory, type NoteOptions, type Noted, type ToNote } from './note-memory.ts'

export interface MemoryOptions extends Omit<NoteOptions, 'vectors'> {
  readonly embedder: Embedding
  /** how long one may take to embed while somebody waits */
  readonly embedMs: number
  preferences(tenant: string, userId: string): Promise<StoredPreferences | undefined>
}

interface MemoryInput {
  readonly content: string
  readonly category?: MemoryCategory
  /** 1 to 10 */
  readonly importance?: number
}

interface MemoryChange extends Partial<MemoryInput> {
  /** keeps a proposed one */
  readonly status?: 'active'
  /** the one that was looked at; it is refused if it has changed since */
  readonly revision?: number
}

/** What a model wants remembered. */
interface Suggested extends Omit<ToNote, 'status' | 'source' | 'instead'> {
  /** foreign text was read where it was said */
  readonly isTainted: boolean
  /** when it was said */
  readonly at: number
}

/** What users want remembered; each sees and changes only their own. */
export interface Memories {
  /** Newest first. */
  list(actor: Actor, query?: Pick<MemoryQuery, 'status' | 'limit' | 'cursor'>): Promise<Page<Memory>>
  get(actor: Actor, id: string): Promise<Memory>
  /** One that says the same is changed, and one that says something else about the same is replaced. */
  add(actor: Actor, wanted: MemoryInput, once?: string): Promise<Memory>
  /** With other words, a new memory that replaces it. */
  change(actor: Actor, id: string, changes: MemoryChange): Promise<Memory>
  /** Erases it and what it replaced. */
  remove(actor: Actor, id: string): Promise<void>
  /** Erases all of them, and what still waits to be one. */
  forget(actor: Actor): Promise<number>
  all(actor: Actor): AsyncIterable<Memory>
  /** For models; no permission is checked. Undefined without consent, and for what was said before all was forgotten. */
  suggest(suggested: Suggested): Promise<Noted | undefined>
  /** For rounds of who allows it: those that may be used; neither consent nor permission is checked. */
  usable(tenant: string, userId: string): Promise<readonly StoredMemory[]>
}

const READ = 'memory:read'
const WRITE = 'memory:write'
const AT_ONCE = 200
/** Clocks of nodes differ by less. */
const AHEAD_MS = 60_000

export function createMemories(
  store: MemoryStore & Pick<AccountStore, 'putValue' | 'values'>,
  options: MemoryOptions,
): Memories {
  const { clock, most, preferences } = options
  const vectors = memoryVectors(store, options.embedder, options.embedMs)
  const notes = noteMemory(store, { ...options, vectors })

  async function own({ tenant, id: userId }: Actor, id: string): Promise<StoredMemory> {
    const found = await store.memory(id)
    if (found?.tenant !== tenant || found.userId !== userId) throw new Problem('NOT_FOUND', `You have no memory ${id}.`)
    return found
  }

  const allows = async (tenant: string, userId: string): Promise<boolean> =>
    hasConsent({ consent: 'memory' }, (await preferences(tenant, userId))?.preferences ?? {})

  const erase = async ({ tenant, userId, id }: Memory): Promise<unknown> =>
    store.deleteMemory(id, notes.record('memory_deleted', { tenant, userId }, id))

  /** When this user last had everything forgotten. */
  const forgottenAt = async (tenant: string, userId: string): Promise<number> =>
    Number((await store.values(forgotten(tenant, userId)))['at'] ?? 0)

  return {
    async list(actor, query = {}) {
      need(actor, READ)
      checkLimit(query.limit)
      const { tenant, id: userId } = actor
      const { items, next } = await store.memories({ ...query, tenant, userId })
      return { items: items.map(plain), next }
    },
    async get(actor, id) {
      need(actor, READ)
      return plain(await own(actor, id))
    },
    async add(actor, wanted, once) {
      need(actor, WRITE)
      refuseUnknownFields(wanted, ['content', 'category', 'importance'], 'A memory')
      checkInput(wanted)
      checkContent(wanted.content)
      const { tenant, id: userId } = actor
      const id = once === undefined ? newId() : idFrom(keyOf('memory', tenant, userId, once))
      const about = { id, tenant, userId, status: 'active', method: 'user', source: 'user' } as const
      const { memory } = await notes.note({ ...wanted, ...about })
      if (sameWords(memory.content) !== sameWords(notes.checked(wanted.content))) throw keyUsedTwice()
      return plain(memory)
    },
    async change(actor, id, changes) {
      need(actor, WRITE)
      refuseUnknownFields(changes, ['content', 'category', 'importance', 'status', 'revision'], 'A memory')
      checkInput(changes)
      const memory = await own(actor, id)
      const { content, category, importance, status, revision = memory.revision } = changes
      if (revision !== memory.revision) throw changedMeanwhile('memory')
      if (memory.status === 'replaced')
        throw new Problem('CONFLICT', 'A newer memory stands for this one; change that, or delete this one.')
      const set = { ...(category && { category }), ...(importance !== undefined && { importance }) }
      if (content !== undefined && notes.checked(checkContent(content)) !== memory.content) {
        const { category: kind, importance: weight, tenant, userId, sessionId, eventId } = memory
        const origin = { ...(sessionId !== undefined && { sessionId }), ...(eventId !== undefined && { eventId }) }
        const about = { id: newId(), tenant, userId, status: 'active', method: 'user', source: 'user' } as const
        const wanted = { category: kind, importance: weight, ...set, ...origin, ...about, content, instead: memory }
        return plain((await notes.note(wanted)).memory)
      }
      const isKept = status === 'active' && memory.status === 'proposed'
      if (!isKept && Object.keys(set).length === 0) return plain(memory)
      const action = isKept ? 'memory_kept' : 'memory_changed'
      const changed = await notes.change(memory, { ...set, ...(isKept && { status: 'active' as const }) }, action)
      if (!changed) throw changedMeanwhile('memory')
      return plain(changed)
    },
    async remove(actor, id) {
      need(actor, WRITE)
      await erase(await own(actor, id))
    },
    async forget(actor) {
      need(actor, WRITE)
      const { tenant, id: userId } = actor
      const at = clock.now()
      // First, so that a job that comes in between stores nothing.
      await store.putValue(forgotten(tenant, userId), 'at', at, at)
      // What is being stored is stored by then, and erased with the rest.
      return notes.alone({ tenant, userId }, () =>
        store.forgetMemories(tenant, userId, notes.record('memories_forgotten', { tenant, userId })),
      )
    },
    async *all(actor) {
      need(actor, READ)
      const { tenant, id: userId } = actor
      for (let cursor: string | undefined, isLast = false; !isLast;) {
        const given = cursor === undefined ? {} : { cursor }
        const { items, next } = await store.memories({ tenant, userId, limit: AT_ONCE, ...given })
        yield* items.map(plain)
        isLast = next === null
        cursor = next ?? undefined
      }
    },
    async suggest({ isTainted, at, ...said }) {
      const { tenant, userId } = said
      const isForgotten = async (): Promise<boolean> => {
        const forgotten = await forgottenAt(tenant, userId)
        const ahead = clock.now() + AHEAD_MS
        // With a clock that was ahead then, and only with that, it counts for what was said by that clock.
        return at <= forgotten && (forgotten < ahead || at >= ahead)
      }
      const isWanted = async (): Promise<boolean> => (await allows(tenant, userId)) && !(await isForgotten())
      if (!(await isWanted())) return undefined
      const status = isTainted ? 'proposed' : 'active'
      const noted = await notes.noteIf(isWanted, { ...said, status, source: 'ai_extraction' })
      // On another node all may have been forgotten while this was stored.
      if (noted && (await isForgotten())) await erase(noted.memory)
      return noted
    },
    async usable(tenant, userId) {
      const { items } = await store.memories({ tenant, userId, status: 'active', limit: most })
      vectors.catchUp(keyOf(tenant, userId), items)
      return items
    },
  }
}

const forgotten = (tenant: string, userId: string): string => `memories-forgotten ${keyOf(tenant, userId)}`

const plain = ({ vector: _, ...memory }: StoredMemory): Memory => memory

function checkInput({ category, importance, status }: Omit<MemoryChange, 'content'>): void {
  if (category !== undefined && !MEMORY_CATEGORIES.includes(category))
    throw invalidField('category', `must be one of ${MEMORY_CATEGORIES.join(', ')}`)
  if (importance !== undefined && !(Number.isInteger(importance) && importance >= 1 && importance <= 10))
    throw invalidField('importance', 'must be a whole number from 1 to 10')
  if (status !== undefined && status !== 'active')
    throw invalidField('status', 'can only be set to active, which keeps a proposed memory')
}

function checkContent(content: unknown): string {
  if (typeof content === 'string') return content
  throw invalidField('content', `must be a text of at most ${MEMORY_CHARS} characters`)
}
