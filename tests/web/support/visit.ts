import { afterAll, expect, onTestFinished } from 'vitest'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { guard, type Guard } from './guard.ts'
import { launchChromium } from './launch-chromium.ts'

/** Longer than anything takes on a busy machine. */
const PATIENCE_MS = 60_000

let browser: Promise<Browser> | undefined
afterAll(async () => (await browser)?.close())

export interface VisitOptions extends BrowserContextOptions {
  /** default `#/` */
  readonly at?: string
}

export interface Visitor {
  readonly page: Page
  readonly guard: Guard
  /** one more tab of the same person */
  tab(at?: string): Promise<Page>
}

/**
 * A person with a browser of their own opens the page. When the test is over, the page must not have done anything
 * that no page of Segno may do.
 */
export async function visit(url: string, { at = '#/', ...options }: VisitOptions = {}): Promise<Visitor> {
  browser ??= launchChromium()
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const watched = guard(context, new URL(url).origin)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') for (const page of context.pages()) console.error(await shownOn(page))
    await context.close()
    expect(watched.breaches).toEqual([])
  })
  const tab = async (place = at): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(new URL(`/${place}`, url).href)
    return page
  }
  return { page: await tab(), guard: watched, tab }
}

/** What a page shows, for who reads why a test failed. */
const shownOn = async (page: Page): Promise<string> =>
  `${page.url()} shows:\n${await page.innerText('body', { timeout: 5000 }).catch(String)}`.slice(0, 5000)
