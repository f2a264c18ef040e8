import type { Script } from '../../src/model/index.ts'
import type { Talk } from './plan.ts'

type Turn = NonNullable<Script['otherwise']>

export const messageOf = ({ n }: Talk): string => `talk ${n}: please do it`

/** A failed model call stands before the turn that is tried again: the model counts calls, not turns. */
export function scriptOf(talks: readonly Talk[]): Script {
  return {
    scenarios: talks.map((talk) => ({ when: `^talk ${talk.n}:`, turns: turnsOf(talk) })),
    otherwise: { text: 'Well.' },
  }
}

function turnsOf({ n, turns, faults, delayMs }: Talk): Turn[] {
  const pace = { deltaChars: 6, delayMs }
  const whole: Turn[] = [
    ...turns.map((calls, turn): Turn => ({
      text: 'I shall look after it now.',
      calls: calls.map((name, at) => ({ name, args: { text: `${n} ${turn} ${at}`.padEnd(20 + n, '.') } })),
      ...pace,
    })),
    { text: 'All of it has been looked after.', ...pace, ...(n % 2 === 0 && { usage: { input: 150, output: 30 } }) },
  ]
  return whole.flatMap((turn, at): Turn[] => {
    const fault = faults[at + 1]
    if (fault === 'refused') return [{ fault: { kind: 'overloaded' } }, turn]
    return fault === 'cut' ? [{ ...turn, fault: { kind: 'cut', afterDeltas: 2 } }, turn] : [turn]
  })
}
