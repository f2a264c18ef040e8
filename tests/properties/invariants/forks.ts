import type { StoredEvent } from '../../../src/contract/event.ts'
import type { Stage } from '../stage.ts'

/** A fork shares its prefix to the letter, and what either adds later the other does not see. */
export async function forkFaults(stage: Stage): Promise<string[]> {
  const faults: string[] = []
  for (const { id, parent, seq } of stage.forks) {
    const own = (stage.logs.get(id) ?? []).slice(seq)
    const read = await stage.store.read(id)
    if (read.length === 0) continue
    if (nameless(read.slice(0, seq)) !== nameless((stage.logs.get(parent) ?? []).slice(0, seq))) {
      faults.push(`fork ${id} does not share the first ${seq} events of ${parent}`)
    }
    if (nameless(read.slice(seq)) !== nameless(own)) faults.push(`fork ${id} holds events it did not store itself`)
    if (own[0]?.type !== 'session.forked' || own[0].data.parent.seq !== seq) faults.push(`fork ${id} does not say so`)
    const closing = own.slice(1).findIndex(({ type }) => type === 'round.started')
    const inherited = closing < 0 ? own : own.slice(0, closing + 1)
    const begins = inherited.find(({ type }) => type === 'tool.started' || type === 'turn.started')
    if (begins) faults.push(`fork ${id} goes on with what it inherited: ${begins.type}`)
  }
  return faults
}

/** What the database gives back is what was stored. */
export async function readFaults(stage: Stage): Promise<string[]> {
  const faults: string[] = []
  for (const [id, log] of stage.logs) {
    const read = await stage.store.read(id)
    const gone = log.some(({ type }) => type === 'session.deleted')
    if (nameless(read) !== nameless(gone ? [] : log)) faults.push(`session ${id} is read otherwise than stored`)
    if (read.some(({ sessionId }) => sessionId !== id)) faults.push(`session ${id} is read under another name`)
  }
  return faults
}

/** To the letter, but for the session they are read from. */
function nameless(events: readonly StoredEvent[]): string {
  return JSON.stringify(
    events.map(({ id, seq, type, v, at, requestId, data }) => [id, seq, type, v, at, requestId, data]),
  )
}
