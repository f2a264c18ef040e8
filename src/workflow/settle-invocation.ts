import type { AuditRecord } from '../contract/audit.ts'
import { hasEnded, type Invocation } from '../contract/invocation.ts'
import type { InvocationStore } from '../store/index.ts'

/** Changes of invocations that several processes may make at once. */
export interface Settling {
  /** Changes it as it is by then, unless `to` returns undefined; what it is now, or undefined if it is gone. */
  settle(
    invocation: Pick<Invocation, 'tenant' | 'id'>,
    to: (now: Invocation) => Invocation | undefined,
    audit?: readonly AuditRecord[],
  ): Promise<Invocation | undefined>
  /** Stores it if nobody else has changed it since; false if somebody has. */
  change(changed: Invocation): Promise<boolean>
}

interface SettlingOptions {
  /** the record of its end */
  recordOf(ended: Invocation): AuditRecord
  /** Takes one that is due with the same change, so that this process goes on with it; undefined if another may. */
  taken(due: Invocation): Invocation | undefined
  /** Called after each change of its status. */
  onChanged(invocation: Invocation, isTaken: boolean): void
}

const TRIES = 10

export function createSettling(
  store: Pick<InvocationStore, 'invocation' | 'changeInvocation'>,
  { recordOf, taken, onChanged }: SettlingOptions,
): Settling {
  return {
    async settle({ tenant, id }, to, audit = []) {
      for (let tries = TRIES; tries > 0; tries--) {
        const before = await store.invocation(tenant, id)
        const wanted = before && to(before)
        if (!before || !wanted) return before
        const ours = wanted.status === before.status ? undefined : taken(wanted)
        const changed = { ...(ours ?? wanted), revision: before.revision + 1 }
        const isOther = changed.status !== before.status
        const isEnd = hasEnded(changed) && (isOther || changed.endedAt !== before.endedAt)
        if (!(await store.changeInvocation(changed, [...audit, ...(isEnd ? [recordOf(changed)] : [])]))) continue
        if (isOther) onChanged(changed, ours !== undefined)
        return changed
      }
      throw new Error('an invocation was changed by others all the time')
    },
    change: (changed) => store.changeInvocation(changed),
  }
}

/** Whether a result still changes what it came to. */
export const isOpenToResults = ({ status, reported, inDoubt }: Invocation): boolean =>
  !hasEnded({ status }) ||
  status === 'unknown' ||
  status === 'timeout' ||
  (status === 'failure' && reported === undefined && inDoubt === true)

/** Nothing is left to do with it. */
export function toldOf({ dueAt: _, ...invocation }: Invocation): Invocation {
  return { ...invocation, told: true }
}
