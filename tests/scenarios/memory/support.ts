import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import type { Memory } from '../../../src/contract/memory.ts'
import { segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'

/** Segno with its own tools, for somebody who allows things to be remembered. */
export async function rememberingSegno(opening: Opening = {}): Promise<SegnoUnderTest> {
  const it = await segnoUnderTest({ builtInTools: true, ...opening })
  await it.segno.preferences.put(LOCAL_OWNER, { allowMemory: true })
  return it
}

/** All memories, oldest first. */
export async function memoriesOf({ segno }: SegnoUnderTest, actor: Actor = LOCAL_OWNER): Promise<Memory[]> {
  return (await Array.fromAsync(segno.memories.all(actor))).reverse()
}

export const contentsOf = (memories: readonly Memory[]): string[] => memories.map(({ content }) => content)

/** A turn that calls `remember`. */
export const remembers = (...contents: readonly string[]) => ({
  calls: contents.map((content) => ({ name: 'remember', args: { content } })),
})
