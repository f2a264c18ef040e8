import type { Actor } from '../contract/actor.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import { need } from '../contract/need.ts'
import { changedMeanwhile, invalidField, Problem } from '../contract/problem.ts'
import { checkText } from './check-text.ts'
import type { Kind } from './four-eyes.ts'

/** Who may take a step, and from where. */
export interface Step<T = unknown> {
  readonly needs: string
  readonly from: readonly string[]
  /** what else it takes, so that nobody is told to try it in vain; the step itself refuses with a reason */
  isPossible?(thing: T): boolean
}

interface StepInput {
  readonly reason?: string
  /** the one that was looked at; the step is refused if it has changed since */
  readonly revision?: number
}

/** What goes from draft to use step by step. */
interface Governed {
  readonly status: string
  readonly revision: number
}

export type TakeStep<T> = (actor: Actor, id: string, given?: StepInput) => Promise<T>

const REASON_CHARS = 1000

/** Makes the steps of one kind of thing, each with the same checks before it. */
export function stepsOf<T extends Governed, Name extends string>(
  kind: Kind,
  steps: Readonly<Record<Name, Step<T>>>,
  get: (tenant: string, id: string) => Promise<T>,
) {
  return (name: Name, finish: (actor: Actor, thing: T, reason: string | null) => Promise<T>): TakeStep<T> =>
    async (actor, id, given) => {
      need(actor, steps[name].needs)
      const reason = reasonOf(kind, given, name === 'reject')
      const thing = await get(actor.tenant, id)
      if (!steps[name].from.includes(thing.status)) {
        const next = possibleNext(kind, steps, thing)
        throw new Problem('CONFLICT', `It is ${thing.status}, so you cannot ${name} it. ${next}`)
      }
      if ((given?.revision ?? thing.revision) !== thing.revision) throw changedMeanwhile(kind)
      return finish(actor, thing, reason)
    }
}

/** What can be done with something now; of prompts only a draft is edited. */
export function possibleNext<T extends Pick<Governed, 'status'>>(
  kind: Kind,
  steps: Readonly<Record<string, Step<T>>>,
  thing: T,
): string {
  const isPossible = ({ from, isPossible: isToo }: Step<T>) => from.includes(thing.status) && (isToo?.(thing) ?? true)
  const names = Object.entries(steps).flatMap(([name, step]) => (isPossible(step) ? [name] : []))
  const mayBeEdited = kind === 'document' || thing.status === 'draft'
  return `Possible now: ${[...(mayBeEdited ? ['edit'] : []), ...names].join(', ')}.`
}

/** The changed thing; throws if somebody else was faster. */
export function orConflict<T>(kind: Kind, changed: T | undefined): T {
  if (changed) return changed
  throw changedMeanwhile(kind)
}

/** The reason of a step as it is stored; null if none is given. */
function reasonOf(kind: Kind, given: StepInput | undefined, isNeeded: boolean): string | null {
  refuseUnknownFields(given, ['reason', 'revision'], `A step of a ${kind}`)
  const reason = given?.reason
  if (reason !== undefined) checkText('reason', reason, REASON_CHARS)
  else if (isNeeded) throw invalidField('reason', 'is needed, so that its author knows what to change')
  return reason ?? null
}
