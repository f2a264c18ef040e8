import { expect, test } from 'vitest'
import { verifySigned, type SignedRequest } from '../../src/workflow/standard-webhooks.ts'
import { verifies } from '../support/verifies.ts'
import { chances, chosenSeed, type Chances } from './support/chances.ts'
import { forge, FORGERIES } from './support/forgeries.ts'
import { asSent, chosenSecret, realRequest, signedByPackage, type Real } from './support/real-requests.ts'

const NOW = 1_790_000_000
const FORGED = 100_000
const REAL = 2000
const SEED = chosenSeed()
const secrets = chances(SEED)
const [CURRENT, BEFORE, FORMER, FOREIGN] = [secrets, secrets, secrets, secrets].map(chosenSecret) as [
  string,
  string,
  string,
  string,
]
const COUNTING = [CURRENT, BEFORE]

const verdict = (request: SignedRequest, counting: readonly string[] = COUNTING) =>
  verifySigned(request, counting, { now: NOW * 1000, toleranceMs: 300_000 })

const others = { now: NOW, foreign: FOREIGN, former: FORMER }

/** While a secret is replaced, others still sign with the one before. */
const real = (any: Chances): Real => realRequest(any, any.one([CURRENT, BEFORE]), NOW)

function realRequests(any: Chances): readonly [Real, ...Real[]] {
  return [real(any), ...Array.from({ length: REAL - 1 }, () => real(any))]
}

verifies('GOV-15', 'of 100,000 forged requests none is accepted, and each real one is', () => {
  const any = chances(SEED)
  const reals = realRequests(any)
  const made = new Map<string, number>()
  const reasons = new Set<string>()
  const accepted: unknown[] = []
  let left = FORGED
  while (left > 0)
    for (const [kind, forgery] of FORGERIES) {
      const one = any.one(reals)
      const other = any.one(reals)
      // Its own signature would be right.
      if (other === one) continue
      const forged = forge(forgery, one, { ...others, any, other })
      if (!forged) continue
      const found = verdict(forged)
      if (found.isValid)
        accepted.push({ kind, one, forged: { ...forged, body: Buffer.from(forged.body).toString('latin1') } })
      else reasons.add(found.reason)
      made.set(kind, (made.get(kind) ?? 0) + 1)
      left -= 1
    }
  expect(accepted.slice(0, 3), `${accepted.length} in all; SEGNO_PROPERTY_SEED=${SEED} makes them again`).toEqual([])
  // Each kind was tried, and requests came to each of the checks.
  expect([...FORGERIES.keys()].filter((kind) => (made.get(kind) ?? 0) < 50)).toEqual([])
  expect([...reasons].sort()).toEqual(['early', 'malformed', 'missing', 'old', 'wrong'])
  expect(reals.filter((one) => !verdict(asSent(one)).isValid)).toEqual([])
})

verifies('GOV-15', 'what the package signs counts with its secret alone, beside another, and not with others', () => {
  for (const one of realRequests(chances(SEED)).slice(0, 200)) {
    const { id, seconds, body, secret } = one
    const without = COUNTING.filter((other) => other !== secret)
    const request = asSent(one)
    expect(verdict(request, [secret])).toEqual({ isValid: true, id })
    expect(verdict(request, [...without, secret])).toEqual({ isValid: true, id })
    expect(verdict(request, [...without, FOREIGN]).isValid).toBe(false)
    // Somebody who changes over signs with both, in either order.
    const both = COUNTING.map((each) => signedByPackage(each, id, seconds, body))
    for (const signature of [both.join(' '), both.toReversed().join(' ')])
      for (const each of COUNTING) expect(verdict({ ...request, signature }, [each]).isValid).toBe(true)
  }
})

test('the same seed forges the same requests', () => {
  const forged = (): unknown[] => {
    const any = chances(7)
    const [first, other] = [real(any), real(any)]
    return [...FORGERIES.values()].map((forgery) => forge(forgery, first, { ...others, any, other }))
  }
  expect(forged()).toEqual(forged())
})
