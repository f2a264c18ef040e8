import type { Violation } from './evidence.ts'

/** A commit as its writer asked for it, what was true at that moment, and whether the store took it. */
export interface Write {
  readonly writer: string
  readonly epoch: number
  readonly expected: number
  readonly owner: { readonly epoch: number; readonly head: number }
  readonly taken: boolean
}

/** Only the owner of the newest epoch writes, and only behind the last event there is. */
export function oneWriter(writes: readonly Write[]): Violation[] {
  return writes.flatMap(({ writer, epoch, expected, owner, taken }) => {
    if (!taken) return []
    const found: Violation[] = []
    const harm = 'disordered'
    if (epoch !== owner.epoch)
      found.push({
        harm,
        check: 'fenced writers store nothing',
        what: `${writer} wrote under epoch ${epoch}, the owner has ${owner.epoch}`,
      })
    if (expected !== owner.head)
      found.push({
        harm,
        check: 'writers know the last number',
        what: `${writer} wrote behind ${expected}, the last event was ${owner.head}`,
      })
    return found
  })
}
