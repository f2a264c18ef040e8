import { Problem } from '../../contract/problem.ts'

const WHOLE_ID = 36
const SHORTEST = 6

interface Things<T> {
  /** what one of them is called, as in `segno prompts ls` without the s */
  readonly one: string
  /** several of them, if that is not the same with an s */
  readonly many?: string
  /** the topic that lists them, if that is another word than its plural */
  readonly topic?: string
  /** the command that lists them, if that is not `segno <topic> ls` */
  readonly listing?: string
  all(): Promise<readonly T[]>
}

export const isWholeId = (id: string): boolean => id.length >= WHOLE_ID

/** The only one whose id begins so. */
export async function findByStart<T extends { readonly id: string }>(id: string, things: Things<T>): Promise<T> {
  const { one, many = `${one}s`, topic = many, listing = `segno ${topic} ls` } = things
  if (id.length < SHORTEST)
    throw new Problem('VALIDATION_ERROR', `Give at least ${SHORTEST} characters of the id; ${listing} has them.`)
  const found = (await things.all()).filter((thing) => thing.id.startsWith(id))
  const [only, another] = found
  if (another) throw new Problem('VALIDATION_ERROR', `${found.length} ${many} begin with ${id}; give more of the id.`)
  if (!only) throw new Problem('NOT_FOUND', `There is no ${one} ${id}. ${listing} lists them.`)
  return only
}
