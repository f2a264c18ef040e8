import { auditRecord, type AuditAction, type AuditRecord } from '../contract/audit.ts'
import { MEMORY_CHARS, type Memory } from '../contract/memory.ts'
import { changedMeanwhile, invalidField, Problem } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { keyOf } from '../lib/key-of.ts'
import { cleanMemory, memoryFault } from '../lib/memory-text.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import type { MemoryChanges, MemoryStore, NewMemory, StoredMemory } from '../store/index.ts'
import { replacedBy, sameAs } from './memory-place.ts'
import type { memoryVectors } from './memory-vectors.ts'

export interface NoteOptions {
  readonly clock: Clock
  /** memories of one user, with those that were replaced */
  readonly most: number
  /** takes known secrets out of a text */
  redact(text: string): string
  readonly vectors: ReturnType<typeof memoryVectors>
}

type Whose = Pick<Memory, 'tenant' | 'userId'>

/** Something to note; its words are not checked yet. */
export interface ToNote extends Whose, Pick<Memory, 'id' | 'content' | 'method' | 'source'> {
  readonly status: 'active' | 'proposed'
  readonly category?: Memory['category']
  readonly importance?: number
  readonly sessionId?: string
  readonly eventId?: string
  /** the words of the memory that it replaces */
  readonly replaces?: string
  /** the memory that it replaces, whatever it says */
  readonly instead?: StoredMemory
}

/** `known`: it was there already, and is said again */
export interface Noted {
  readonly memory: StoredMemory
  readonly known: boolean
}

type Embed = () => Promise<Pick<StoredMemory, 'vector'>>

const USUAL = { category: 'other', importance: 5 } as const
/** Each fails because another node noted something, so more than a few are needed only while many do. */
const TRIES = 50
/** The part of all memories that may be proposed ones, so that text of others leaves room for what the user says. */
const PROPOSED_SHARE = 5

/** Stores memories: one that says the same again is changed, one that contradicts another stands for it. */
export function noteMemory(store: MemoryStore, { clock, most, redact, vectors }: NoteOptions) {
  const inTurn = oneAtATime<unknown>()

  /** One change of what is remembered of a user at a time. */
  const alone = <T>({ tenant, userId }: Whose, work: () => Promise<T>): Promise<T> =>
    inTurn(keyOf('memories', tenant, userId), work) as Promise<T>

  function record(action: AuditAction, whose: Whose, memoryId?: string, sessionId?: string): AuditRecord[] {
    const subject = { id: newId(), at: clock.now(), ...whose, ...(sessionId !== undefined && { sessionId }) }
    return [auditRecord(action, subject, memoryId === undefined ? {} : { memoryId })]
  }

  /** Whatever became of them. */
  const allOf = async ({ tenant, userId }: Whose): Promise<readonly StoredMemory[]> =>
    (await store.memories({ tenant, userId, limit: most })).items

  /** What may be stored of these words. */
  function checked(content: string): string {
    const clean = content.length > MEMORY_CHARS * 2 ? content : cleanMemory(content)
    const fault = memoryFault(clean, MEMORY_CHARS, redact)
    if (fault !== undefined) throw invalidField('content', fault)
    return clean
  }

  /** Undefined if it was changed or deleted meanwhile. */
  async function sayAgain(same: StoredMemory, { category, importance, status }: ToNote): Promise<Noted | undefined> {
    // Foreign text may not even make it look newer.
    if (status === 'proposed' && same.status === 'active') return { memory: same, known: true }
    const changes = { status, ...(category && { category }), ...(importance !== undefined && { importance }) }
    const audit = record('memory_changed', same, same.id)
    const memory = await store.changeMemory(same.id, same.revision, changes, clock.now(), audit)
    return memory && { memory, known: true }
  }

  async function put(wanted: ToNote): Promise<Noted> {
    const { instead } = wanted
    // Takes longest, and what is decided anew is not embedded anew.
    let embedding: ReturnType<Embed> | undefined
    const embed: Embed = () => (embedding ??= vectors.vectorOf(wanted.content))
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = await store.memory(wanted.id)
      if (before) return { memory: before, known: false }
      if (instead && (await store.memory(instead.id))?.revision !== instead.revision) throw changedMeanwhile('memory')
      const all = await allOf(wanted)
      const same = sameAs(wanted.content, all)
      if (same && instead && same.id !== instead.id)
        throw new Problem('CONFLICT', 'Another of your memories says this already.')
      const noted = await (same && !instead ? sayAgain(same, wanted) : add(wanted, all, embed))
      if (noted) return noted
    }
    throw new Problem('BUSY', 'This memory is being changed elsewhere; try again.')
  }

  /** Undefined if another one was added since `all` was read. */
  async function add(wanted: ToNote, all: readonly StoredMemory[], embed: Embed): Promise<Noted | undefined> {
    if (all.length >= most)
      throw new Problem('CONFLICT', `There are ${most} memories already (limit MEMORIES); delete some first.`)
    const isTooMuch = all.filter(({ status }) => status === 'proposed').length >= Math.ceil(most / PROPOSED_SHARE)
    if (wanted.status === 'proposed' && isTooMuch)
      throw new Problem(
        'CONFLICT',
        'Too many memories wait to be kept (a fifth of MEMORIES); keep or delete some first.',
      )
    const { replaces, instead, sessionId, ...rest } = wanted
    const said = { ...USUAL, ...rest, ...(await embed()) }
    const older = instead ?? replacedBy({ ...said, ...(replaces !== undefined && { replaces }) }, all)
    const memory: NewMemory = {
      ...said,
      createdAt: clock.now(),
      ...(sessionId !== undefined && { sessionId }),
      ...(older && { supersedes: older.id }),
    }
    const { id, tenant, userId } = memory
    const created = {
      id: newId(),
      type: 'memory.created',
      tenant,
      userId,
      at: clock.now(),
      payload: { memoryId: id },
    } as const
    const audit = record('memory_created', memory, id, sessionId)
    const newest = all[0]?.id ?? null
    const stored = await store.putMemory(memory, { newest, audit, outbox: [created] })
    return stored && { memory: stored, known: false }
  }

  return {
    record,
    checked,
    /** Notes it once, whatever is noted for this user at the same time. */
    note: (wanted: ToNote): Promise<Noted> => {
      const content = checked(wanted.content)
      return alone(wanted, () => put({ ...wanted, content }))
    },
    /** The same if it is still wanted when its turn comes. */
    noteIf: (isWanted: () => Promise<boolean>, wanted: ToNote): Promise<Noted | undefined> => {
      const content = checked(wanted.content)
      return alone(wanted, async () => ((await isWanted()) ? put({ ...wanted, content }) : undefined))
    },
    alone,
    async change(memory: StoredMemory, changes: MemoryChanges, action: AuditAction): Promise<StoredMemory | undefined> {
      return store.changeMemory(memory.id, memory.revision, changes, clock.now(), record(action, memory, memory.id))
    },
  }
}
