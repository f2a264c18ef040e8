import { may, OPERATOR, type Actor } from './actor.ts'
import { Problem } from './problem.ts'

/** Throws a Problem that names the missing permission and nothing about what was asked for. */
export function need(actor: Actor, permission: string): void {
  const named = permission === OPERATOR ? 'operator, the right to run this installation' : permission
  if (!may(actor, permission)) throw new Problem('PERMISSION_DENIED', `You may not do this; it needs ${named}.`)
}
