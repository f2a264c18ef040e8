import type { Locator, Page } from 'playwright-core'

// What a person sees and does, by the names things have on the page.

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true })
export const messages = (page: Page): Locator => page.getByRole('log', { name: 'Messages' })
export const said = (page: Page): Locator => messages(page).getByRole('article', { name: 'You', exact: true })
export const answers = (page: Page): Locator => messages(page).getByRole('article', { name: 'Segno' })
export const sidebar = (page: Page): Locator => page.getByRole('navigation', { name: 'Conversations' })
export const inspector = (page: Page): Locator => page.getByRole('complementary', { name: 'Inspector' })
export const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true })

/** The card that asks for a decision. */
export const askFor = (page: Page, tool: string): Locator => page.getByRole('group', { name: `Approval of ${tool}` })

/** The line of a call, which unfolds. */
export const call = (page: Page, tool: string): Locator =>
  messages(page).getByRole('button', { name: new RegExp(`^${tool}\\b`) })

/** The line at the end of a round that says how it ended. */
export const endOf = (page: Page, reason: string): Locator =>
  messages(page).getByRole('button', { name: new RegExp(`^${reason}\\b`) })

export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

/** Says something and waits for the end of its answer. */
export async function sayAndHear(page: Page, text: string): Promise<void> {
  const before = await endOf(page, 'answered').count()
  await say(page, text)
  await endOf(page, 'answered').nth(before).waitFor()
}

export async function choose(page: Page, menu: string | RegExp, entry: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click()
  // An entry may have a note after its name.
  await page
    .getByRole('menu')
    .locator('[role^=menuitem]')
    .filter({ hasText: new RegExp(`^${entry}`) })
    .click()
}

/** The session the page shows. */
export async function sessionOf(page: Page): Promise<string> {
  await page.waitForURL(/#\/s\//)
  return /#\/s\/([^/]+)/.exec(page.url())?.[1] ?? ''
}
