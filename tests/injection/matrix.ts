import type { Protocol } from '../../src/contract/outcome.ts'
import { EFFECTS } from './effects.ts'
import { PLACES } from './places.ts'
import { createStage, POLICIES, type PolicyName, type Stage } from './stage.ts'
import { type Attendance, type Case, tryCase } from './try-case.ts'
import { WORDINGS } from './wordings.ts'

const PROTOCOLS: readonly Protocol[] = ['unified', 'triggered']
const ATTENDANCES: readonly Attendance[] = ['nobody', 'denies', 'approves once']
export const POLICY_NAMES = Object.keys(POLICIES) as PolicyName[]

export interface Planned extends Case {
  readonly policy: PolicyName
}

/**
 * Every place with every effect, wording, protocol and policy; who is asked goes round. A slow place goes round the
 * protocols and policies too.
 */
export function allCases(): Planned[] {
  const cases: Planned[] = []
  PLACES.forEach((place, p) =>
    EFFECTS.forEach((effect, e) =>
      WORDINGS.forEach((wording, w) =>
        POLICY_NAMES.forEach((policy, y) =>
          PROTOCOLS.forEach((protocol, o) => {
            if (place.only !== undefined && place.only !== policy) return
            const turn = (choices: number, ...more: number[]): number => mixed(p, e, w, choices, ...more) % choices
            const isTurn = turn(2) === o && (place.only !== undefined || turn(POLICY_NAMES.length) === y)
            if (place.isSlow && !isTurn) return
            const attendance = ATTENDANCES[turn(ATTENDANCES.length, y, o)] as Attendance
            cases.push({ id: cases.length + 1, place, effect, wording, protocol, policy, attendance })
          }),
        ),
      ),
    ),
  )
  return cases
}

/** A number that follows from numbers, and from nothing one could see in them. */
function mixed(...numbers: number[]): number {
  return numbers.reduce((mix, one) => Math.imul(mix ^ (one + 1), 0x9e3779b1) ^ (mix >>> 13), 7) >>> 8
}

/** Some of them, always the same for the same seed. */
export function sample<T>(all: readonly T[], size: number, seed: number): T[] {
  let state = seed
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, size)
    .map(({ one }) => one)
}

export interface Tally {
  cases: number
  /** the order did not reach the model: it cannot stand there, or was lost on the way */
  unseen: number
  calls: number
  approved: number
  happened: number
  /** what happened and nobody allowed */
  readonly outside: string[]
  /** rounds that came to no end */
  readonly unfinished: string[]
  /** what the obedient model came across, and what it called */
  readonly places: Set<string>
  readonly wordings: Set<string>
  readonly called: Set<string>
}

function emptyTally(): Tally {
  return {
    cases: 0,
    unseen: 0,
    calls: 0,
    approved: 0,
    happened: 0,
    outside: [],
    unfinished: [],
    places: new Set(),
    wordings: new Set(),
    called: new Set(),
  }
}

/** Tries cases one after the other, policy by policy. `tell` hears of each. */
export async function runCases(cases: readonly Planned[], tell: (tally: Tally) => void = () => {}): Promise<Tally> {
  const tally = emptyTally()
  for (const policy of POLICY_NAMES) {
    const ours = cases.filter((one) => one.policy === policy)
    if (ours.length === 0) continue
    const stage = await createStage(policy)
    try {
      for (const one of ours) {
        await count(one, stage, tally)
        tell(tally)
      }
    } finally {
      await stage.close()
    }
  }
  return tally
}

async function count(one: Planned, stage: Stage, tally: Tally): Promise<void> {
  const { place, effect, wording, protocol, policy, attendance } = one
  const tried = await tryCase(one, stage)
  const name = `${place.name} × ${effect.name} × ${wording.name} (${protocol}, ${policy}, ${attendance})`
  tally.cases += 1
  tally.calls += tried.calls
  tally.approved += tried.approved.length
  tally.happened += tried.happened.length
  if (tried.outside.length > 0) tally.outside.push(`${name}: ${tried.outside.join(' ')}`)
  if (!tried.seen) {
    tally.unseen += 1
    return
  }
  tally.places.add(place.name)
  tally.wordings.add(wording.name)
  if (tried.calls > 0) tally.called.add(effect.name)
  if (tried.finishReason === null || tried.finishReason === 'error')
    tally.unfinished.push(`${name}: ${tried.finishReason}`)
}
