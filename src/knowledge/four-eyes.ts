import type { Actor } from '../contract/actor.ts'
import { Problem } from '../contract/problem.ts'

export interface FourEyes {
  /** the setting SEGNO_FOUR_EYES */
  readonly fourEyes: boolean
  /** Everybody who can ask for something in this tenant, as far as it is known. */
  people(tenant: string): Promise<ReadonlySet<string>>
}

/** What somebody wrote and others may have changed. */
export interface Written {
  readonly author: string
  readonly editors: readonly string[]
}

export type Kind = 'prompt' | 'document'

/** Whether approving would be one's own words; throws a Problem if that is not allowed. */
export async function isSelfApproval(
  actor: Actor,
  written: Written,
  options: FourEyes,
  kind: Kind,
  review: string,
): Promise<boolean> {
  if (!hasWritten(actor.id, written)) return false
  const people = new Set([...(await options.people(actor.tenant)), actor.id])
  const isAlone = people.size === 1
  if (isAlone && !options.fourEyes) return true
  const why = isAlone ? WAYS_OUT : somebodyElse(review)
  throw new Problem('PERMISSION_DENIED', `You wrote words of this ${kind}, so ${why}`)
}

/** Whether some of its words are theirs. */
export const hasWritten = (userId: string, { author, editors }: Written): boolean =>
  author === userId || editors.includes(userId)

const somebodyElse = (review: string): string =>
  `somebody else has to approve it: a person with the permission ${review}. ` +
  'SEGNO_FOUR_EYES=off counts only while a tenant has one person.'

const WAYS_OUT =
  'you may not approve it, and your tenant has nobody else. Make a key for a reviewer ' +
  '(segno keys add "a reviewer" --user <name> --role reviewer), or start Segno again with SEGNO_FOUR_EYES=off, which ' +
  'lets the author approve while there is one person only; that is recorded and shown.'
