import { may } from '../contract/actor.ts'
import type { Candidates, Question } from '../contract/retrieval.ts'
import { SYSTEM_WORKSPACE, type WorkspaceText } from '../contract/workspace.ts'
import { abortable } from '../lib/abortable.ts'
import type { StoredMemory } from '../store/index.ts'
import { cosine } from './cosine.ts'
import { shareOf, type Find } from './find.ts'

export interface RetrievalOptions {
  /** whether the tenant has published documents at all */
  hasDocuments(tenant: string): Promise<boolean>
  find: Find
  /** the user's memories that may be used */
  memoriesFor(tenant: string, userId: string): Promise<readonly StoredMemory[]>
  /** the question as a vector that memories are compared with; undefined if there is none */
  embed(text: string, tenant: string): Promise<StoredMemory['vector']>
  contextOf(tenant: string, workspaceId: string): Promise<readonly WorkspaceText[]>
  /** passages of one round */
  readonly passages: number
  readonly retrievalMs: number
}

/** A conversation of a workspace finds its documents and those of everybody. */
export const scopeOf = (workspaceId: string): readonly string[] => [...new Set([workspaceId, SYSTEM_WORKSPACE])]

/** What cannot be compared counts as half as near as possible. */
const nearness = (...vectors: Parameters<typeof cosine>): number => Math.max(0, cosine(...vectors) ?? 0.5)

/** Looks things up for rounds; what fails or takes too long is left out, so that it never keeps a round from starting. */
export function createRetrieval(options: RetrievalOptions) {
  const { passages: limit, retrievalMs } = options

  async function passages({ actor, permissions, workspaceId, text }: Question, signal: AbortSignal) {
    const { tenant } = actor
    if (text.trim() === '' || !may({ permissions }, 'knowledge:read') || !(await options.hasDocuments(tenant)))
      return []
    return options.find({ tenant, workspaceIds: scopeOf(workspaceId), text, limit, signal })
  }

  async function memories({ actor, text, usesMemory }: Question) {
    if (!usesMemory) return []
    const late = AbortSignal.timeout(shareOf(retrievalMs))
    const all = await options.memoriesFor(actor.tenant, actor.id)
    if (all.length === 0) return []
    // Without it they are told by their importance.
    const question = await abortable(options.embed(text, actor.tenant), late).catch(() => undefined)
    return all
      .map((memory) => ({ memory, worth: memory.importance * nearness(question, memory.vector) }))
      .sort((one, other) => other.worth - one.worth || other.memory.updatedAt - one.memory.updatedAt)
      .map(({ memory }) => ({ memoryId: memory.id, text: memory.content }))
  }

  return async (question: Question): Promise<Candidates> => {
    const over = AbortSignal.any([question.signal, AbortSignal.timeout(retrievalMs)])
    const orNothing = <T>(work: Promise<readonly T[]>): Promise<readonly T[]> => abortable(work, over).catch(() => [])
    const { actor, workspaceId } = question
    const [found, remembered, context] = await Promise.all([
      orNothing(passages(question, over)),
      orNothing(memories(question)),
      orNothing(options.contextOf(actor.tenant, workspaceId)),
    ])
    return { passages: found, memories: remembered, context }
  }
}
