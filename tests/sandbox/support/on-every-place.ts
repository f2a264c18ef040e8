import { afterAll, describe, expect, test } from 'vitest'
import { isRoot, machineHas } from './machine-has.ts'
import { makePlace, type Place, SMALL, type Variant, VARIANTS } from './variants.ts'

/**
 * Tests with each kind of sandbox, for Segno as root and as an ordinary user, as far as this machine and this user have
 * them. What is left out says why; a sandbox that should work and does not fails.
 */
export async function onEveryPlace(
  tests: (place: Place, variant: Variant) => void,
  variants: readonly Variant[] = VARIANTS,
  limits = SMALL,
): Promise<void> {
  const places = await Promise.all(
    variants.map(async (variant) => ({ variant, place: await makePlace(variant, limits) })),
  )
  for (const { variant, place } of places) {
    const { found } = place.runner
    const title = `${variant.kind}, Segno as ${isRoot && variant.uid === undefined ? 'root' : 'an ordinary user'}`
    if (!('missing' in found)) {
      describe(title, () => {
        afterAll(() => place.close())
        tests(place, variant)
      })
      continue
    }
    await place.close()
    if (machineHas(variant.kind)) test(`${title}, has a sandbox`, () => expect.fail(found.missing))
    else describe.skip(`${title}: ${found.missing}`, () => tests(place, variant))
  }
}
