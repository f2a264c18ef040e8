import type { Page } from 'playwright-core'

/** Opens everything that can be unfolded in a part of the page. */
export const unfold = (page: Page, part: string): Promise<void> =>
  page.locator(part).evaluateAll((parts) => {
    const folds = 'button[aria-expanded=false]:not([aria-haspopup])'
    for (const one of parts) for (const fold of one.querySelectorAll<HTMLElement>(folds)) fold.click()
  })
