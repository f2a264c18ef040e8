import type { Dice } from '../crash/dice.ts'
import { EFFECTS } from '../crash/effect-tools.ts'
import type { Episode } from '../crash/plan.ts'

/** Times of an episode are those of a real cluster, in milliseconds; `faster` divides them. */
export interface Fault {
  readonly kind: FaultKind
  /** which node it hits, if it hits one; unless it is aimed at a node that is about to have an effect */
  readonly node: number
  readonly isAimed: boolean
  /** after the first message was sent */
  readonly atMs: number
  /** how long it lasts: until the node is started again or goes on, or the way is open again */
  readonly forMs: number
}

const FAULTS = [
  'kill',
  'pause',
  'no database',
  'no peers',
  'database breaks off',
  'database restarts',
  'database killed',
  'drain',
] as const

type FaultKind = (typeof FAULTS)[number]

export interface ClusterEpisode {
  readonly n: number
  readonly rounds: readonly Episode[]
  readonly faults: readonly Fault[]
}

/** Longest time to a fault, of one, and of a call before and after its effect, at real times. */
const AT_MS = 8000
const TOOL_MS = 6000
const FOR_MS = 25_000

/** One conversation for each effect class and more, with what hits the cluster meanwhile. */
export function planEpisode(n: number, nodes: number, faster: number, dice: Dice): ClusterEpisode {
  const effects = [...EFFECTS, ...EFFECTS]
  const rounds = effects.map((effect, at): Episode => {
    const decision = dice.between(1, 3) === 1 ? dice.oneOf(['approve', 'approve', 'deny'] as const) : undefined
    return {
      id: `${n}-${at}`,
      protocol: dice.oneOf(['unified', 'triggered'] as const),
      effect,
      calls: dice.oneOf([1, 2] as const),
      ...(decision && { decision }),
      drag: dice.between(0, Math.ceil(200 / faster)),
      toolMs: dice.between(0, Math.ceil(TOOL_MS / faster)),
    }
  })
  // Every kind comes, one after the other; now and then a second one on top.
  const kinds = [FAULTS[n % FAULTS.length] as FaultKind]
  if (dice.between(1, 4) === 1) kinds.push(dice.oneOf(FAULTS.filter((kind) => !kind.startsWith('database'))))
  const first = dice.between(0, nodes - 1)
  const faults = kinds.map((kind, at): Fault => ({
    kind,
    node: (first + at) % nodes,
    isAimed: at === 0 && dice.between(1, 3) > 1,
    atMs: dice.between(0, AT_MS) / faster,
    forMs: dice.between(FOR_MS / 25, FOR_MS) / faster,
  }))
  return { n, rounds, faults }
}
