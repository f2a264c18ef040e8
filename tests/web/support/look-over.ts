import type { Page } from 'playwright-core'
import { sweep } from './hostile.ts'

/** What was seen on a page in all its places. */
export interface Overlook {
  /** signs of hostile texts, such as `§title-12;` */
  readonly signs: ReadonlySet<string>
  /** what should not be there: of each kind the first */
  readonly faults: ReadonlyMap<string, string>
  look(): Promise<void>
}

export function lookOver(page: Page): Overlook {
  const signs = new Set<string>()
  const faults = new Map<string, string>()
  return {
    signs,
    faults,
    async look() {
      const swept = await page.evaluate(sweep)
      for (const sign of swept.signs) signs.add(sign)
      for (const fault of swept.faults) {
        const kind = fault.replace(/"[^]*/, '…')
        if (!faults.has(kind)) faults.set(kind, `${fault} at ${page.url().replace(/.*#/, '#')}`)
      }
    },
  }
}

/** Goes to another place of the page, as a link would. */
export const go = (page: Page, place: string): Promise<void> =>
  page.evaluate((hash) => void (location.hash = hash), place)
