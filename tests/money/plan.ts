import type { Protocol } from '../../src/contract/outcome.ts'
import { throwDice, type Dice } from '../crash/dice.ts'
import { TOOL_NAMES, type ToolName } from './paid-tools.ts'
import type { MoneyFault } from './faults.ts'

/** Which budgets there are. */
export const MODES = ['tokens', 'tools', 'cost', 'all'] as const
type Mode = (typeof MODES)[number]

/** One session and the message it is sent, with what happens to its round besides. */
export interface Talk {
  readonly n: number
  readonly protocol: Protocol
  /** what the model asks for, turn by turn */
  readonly turns: readonly (readonly ToolName[])[]
  /** model calls that fail: which, and whether something was said before */
  readonly faults: Readonly<Record<number, 'refused' | 'cut'>>
  readonly delayMs: number
  readonly cancelMs?: number
  readonly forkMs?: number
  /** the most the round may take */
  readonly totalMs?: number
}

/**
 * How a process dies: some time after all messages were taken, after its start, in the middle of a transaction, or of a call
 * that may not run twice.
 */
export type Death =
  | { readonly on: 'ready' | 'spawn'; readonly afterMs: number }
  | { readonly on: 'transaction' | 'call'; readonly nth: number }

export interface Plan {
  readonly seed: number
  readonly mode: Mode
  readonly rounds: number
  readonly kills: number
  readonly fault?: MoneyFault
  /** instead of those that the dice say */
  readonly deaths?: readonly Death[]
}

/** What one process is told. */
export interface MoneyLife extends Plan {
  readonly home: string
  /** a file outside, where tools write down when they begin and end */
  readonly world: string
  readonly death?: Death
}

export function planTalks({ seed, rounds }: Pick<Plan, 'seed' | 'rounds'>): Talk[] {
  const dice = throwDice(seed)
  return Array.from({ length: rounds }, (_, n) => planTalk(dice, n))
}

function planTalk(dice: Dice, n: number): Talk {
  const protocol = dice.oneOf(['unified', 'unified', 'triggered'] as const)
  const calls = (): ToolName[] =>
    Array.from({ length: protocol === 'unified' ? dice.between(1, 2) : 1 }, () => dice.oneOf(TOOL_NAMES))
  const once = <T>(chance: number, what: T): T | Record<string, never> => (dice.between(1, chance) === 1 ? what : {})
  return {
    n,
    protocol,
    turns: Array.from({ length: dice.between(1, 3) }, calls),
    faults: {
      ...once(4, { [dice.between(1, 2)]: 'refused' as const }),
      ...once(6, { [dice.between(1, 3)]: 'cut' as const }),
    },
    delayMs: dice.between(1, 12),
    ...once(8, { cancelMs: dice.between(50, 900) }),
    ...once(8, { forkMs: dice.between(50, 900) }),
    ...once(10, { totalMs: dice.between(300, 1500) }),
  }
}

export function planDeaths({ seed, kills, deaths }: Pick<Plan, 'seed' | 'kills' | 'deaths'>): readonly Death[] {
  if (deaths) return deaths
  const dice = throwDice(seed + 1)
  return Array.from({ length: kills }, () => {
    const on = dice.oneOf(['ready', 'ready', 'spawn', 'transaction'] as const)
    if (on === 'transaction') return { on, nth: dice.between(1, 60) }
    return { on, afterMs: on === 'ready' ? dice.between(0, 600) : dice.between(400, 1500) }
  })
}

/** What a hundred rounds may spend, and how much more for each kill, which wastes what is set aside just then. */
const FOR_A_HUNDRED = {
  tokens: { base: 110_000, kill: 30_000 },
  tools: { base: 16_000, kill: 300 },
  cost: { base: 190_000, kill: 50_000 },
}

/** Less than all rounds would like to have, so that some are refused. */
export function limitsOf({ mode, rounds, kills }: Pick<Plan, 'mode' | 'rounds' | 'kills'>) {
  function limit(which: keyof typeof FOR_A_HUNDRED): number | null {
    const { base, kill } = FOR_A_HUNDRED[which]
    return mode === which || mode === 'all' ? Math.ceil(((base + kill * kills) * rounds) / 100) : null
  }
  return { dailyTokens: limit('tokens'), dailyToolCost: limit('tools'), dailyCost: limit('cost') }
}
