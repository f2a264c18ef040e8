import { textKey, type RetrievedTexts } from '../context/index.ts'
import type { ActorRef } from '../contract/actor.ts'
import type { Retrieved } from '../contract/sent-prompt.ts'
import { chunkKey, type KnowledgeStore, type MemoryStore, type PromptStore } from '../store/index.ts'

export type TextStore = Pick<PromptStore, 'parts'> & Pick<KnowledgeStore, 'passages'> & Pick<MemoryStore, 'memoryTexts'>

/** The words of what was looked up in a session of this actor; what was deleted since is missing. */
export async function retrievedTexts(
  store: TextStore,
  { id, tenant }: ActorRef,
  retrieved: readonly Retrieved[],
): Promise<RetrievedTexts> {
  const refs = retrieved.filter((one) => one.kind === 'passage')
  const memories = retrieved.flatMap((one) => (one.kind === 'memory' ? [one.memoryId] : []))
  const hashes = retrieved.flatMap((one) => ('hash' in one ? [one.hash] : []))
  const [passages, remembered, parts] = await Promise.all([
    refs.length > 0 ? store.passages(tenant, refs) : undefined,
    memories.length > 0 ? store.memoryTexts(tenant, id, memories) : undefined,
    hashes.length > 0 ? store.parts(hashes) : undefined,
  ])
  const textOf = (one: Retrieved): string | undefined => {
    if (one.kind === 'memory') return remembered?.get(one.memoryId)
    if (one.kind !== 'passage') return parts?.get(one.hash)
    const passage = passages?.get(chunkKey(one))
    return passage && passageText(passage)
  }
  return new Map(
    retrieved.flatMap((one) => {
      const text = textOf(one)
      return text === undefined ? [] : [[textKey(one), text] as const]
    }),
  )
}

/** A passage as a model reads it. */
export const passageText = ({ title, place, text }: { title: string; place: string; text: string }): string =>
  `${[title, place].filter((part) => part !== '').join(', ')}\n${text}`
