import type { StoredEvent } from '../../contract/event.ts'
import type { OnRollback } from './group-commit.ts'
import { note, type Owned } from './commit-change.ts'

/** Who uses an open database. */
export interface Node {
  readonly id: string
  /** until when what it owns is its own, by the wall clock */
  until(): number
}

/** One user of an open database: what it owns and what it is told. */
export interface Handle {
  readonly node: Node
  readonly owned: Owned
  /** owned sessions that another handle stored inputs for */
  readonly unread: Set<string>
  readonly listeners: Set<(sessionId: string, events: readonly StoredEvent[]) => void>
  readonly elsewhere: Set<(sessionId: string) => void>
}

export type Handles = ReturnType<typeof createHandles>

/** All handles of an open database. A process has one; where there are more, each is to the others another process. */
export function createHandles() {
  const all = new Set<Handle>()

  function otherOwner(me: Handle, sessionId: string): Handle | undefined {
    // The usual one has nobody to look for.
    if (all.size === 1) return undefined
    return [...all].find((one) => one !== me && one.owned.has(sessionId))
  }

  return {
    add(node: Node): Handle {
      const handle = { node, owned: new Map(), unread: new Set<string>(), listeners: new Set(), elsewhere: new Set() }
      all.add(handle as Handle)
      return handle as Handle
    },
    remove: (handle: Handle): boolean => all.delete(handle),
    isLast: (handle: Handle): boolean => all.size === 0 || (all.size === 1 && all.has(handle)),
    otherOwner,
    /** The other owner of a session, while its time is not over. */
    elsewhere(me: Handle, sessionId: string): Node | undefined {
      const other = otherOwner(me, sessionId)
      return other && other.node.until() > Date.now() ? other.node : undefined
    },
    /** Whoever else has the session has it no more. */
    fence(me: Handle, sessionId: string, onRollback: OnRollback): void {
      const other = otherOwner(me, sessionId)
      if (other) note(other.owned, sessionId, undefined, onRollback)
    },
    /** What is stored is stored: a listener that throws must not make it look failed, nor keep others from hearing. */
    tell(me: Handle, sessionId: string, stored: readonly StoredEvent[]): void {
      for (const listener of me.listeners) attempt(() => listener(sessionId, stored))
      if (all.size === 1) return
      for (const one of all) if (one !== me) for (const listener of one.elsewhere) attempt(() => listener(sessionId))
    },
  }
}

function attempt(tell: () => void): void {
  try {
    tell()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
