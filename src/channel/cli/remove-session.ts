import { Problem } from '../../contract/problem.ts'
import { visible } from '../../lib/visible.ts'
import { findSession, type WireSession } from './find-session.ts'
import { nothingIn, itemsOf } from './read-answer.ts'
import type { Reached } from './reach.ts'

export interface RemoveOptions {
  readonly yes: boolean
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
  readonly json: boolean
}

/** Deletes a session, after saying what that is. */
export async function removeSession(
  reached: Reached,
  id: string,
  { yes, confirm, json }: RemoveOptions,
): Promise<string> {
  const session = await findSession(reached, id)
  const what = `"${visible(session.title)}", ${session.seq} events and their files`
  if (!yes) {
    if (!confirm)
      throw new Problem('VALIDATION_ERROR', `This would delete ${what}. Nobody can be asked here: say --yes.`)
    const forks = await forksOf(reached, session)
    const stays = forks === 0 ? '' : ` What ${forks === 1 ? 'its fork shares' : `its ${forks} forks share`} stays.`
    if (!(await confirm(`This deletes ${what}, for good.${stays} Delete? (yes/no) `)))
      return json ? JSON.stringify({ id: session.id, deleted: false }) : 'Nothing was deleted.'
  }
  nothingIn(await reached.ask('DELETE', `/api/sessions/${session.id}`))
  return json ? JSON.stringify({ id: session.id, deleted: true }) : `Deleted: ${what}.`
}

async function forksOf({ ask }: Reached, { id }: WireSession): Promise<number> {
  const items = await itemsOf<WireSession>(await ask('GET', `/api/sessions/${id}/tree`))
  return items.filter(({ parent }) => parent?.sessionId === id).length
}
