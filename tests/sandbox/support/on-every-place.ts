import { afterAll, describe } from 'vitest'
import { makePlace, type Place, type Variant, VARIANTS } from './variants.ts'

/**
 * Tests with each kind of sandbox, for Segno as root and as an ordinary user, as far as this machine and this user have
 * them; what is left out says why.
 */
export async function onEveryPlace(tests: (place: Place, variant: Variant) => void): Promise<void> {
  for (const variant of VARIANTS) {
    const place = await makePlace(variant)
    const { found } = place.runner
    const who = process.getuid?.() === 0 && variant.uid === undefined ? 'root' : 'an ordinary user'
    const title = `${variant.kind}, Segno as ${who}`
    if ('missing' in found) {
      await place.close()
      describe.skip(`${title}: ${found.missing}`, () => tests(place, variant))
      continue
    }
    describe(title, () => {
      afterAll(() => place.close())
      tests(place, variant)
    })
  }
}
