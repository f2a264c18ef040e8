import type { MeView } from '../../../src/client/index.ts'
import { may } from '../state/may.ts'

/** What counts only once somebody else has approved it: a prompt or a document. */
export interface Governed {
  readonly id: string
  readonly revision: number
  readonly author: string
  /** everybody else who changed its words */
  readonly editors: readonly string[]
}

export const hasWritten = (
  { id }: Pick<MeView, 'id'>,
  { author, editors }: Pick<Governed, 'author' | 'editors'>,
): boolean => author === id || editors.includes(id)

/** Why somebody cannot review it; undefined if they can. */
export function whyNoReview(
  me: MeView,
  needs: string,
  thing: Pick<Governed, 'author' | 'editors'>,
): string | undefined {
  if (!may(me, needs)) return `Reviewing needs the permission ${needs}, which your key does not have.`
  if (!hasWritten(me, thing)) return undefined
  return thing.author === me.id
    ? 'You wrote it: somebody else has to review it.'
    : 'You changed its words: somebody else has to review it.'
}
