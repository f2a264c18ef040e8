import { decide } from '../decide.ts'
import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

/** What the policy denies, nobody is asked about. */
export const denied: Rule = (facts, policy) => {
  const { decide: word, because } = decide(facts, policy)
  return word === 'deny'
    ? refuse(
        'POLICY',
        `${facts.name} may not be used like this (${because}). Do not try again; say what you cannot do.`,
      )
    : undefined
}
