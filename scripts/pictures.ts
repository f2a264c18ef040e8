/** Makes the pictures of the README again, from the running product: `npm run pictures`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startServer } from '../tests/crash/server/server-process.ts'
import { ask } from '../tests/server/support/ask.ts'
import { buildPage } from '../tests/web/support/build-page.ts'
import { launchChromium } from '../tests/web/support/launch-chromium.ts'
import { answers, askFor, button, endOf, inspector, say, sessionOf } from '../tests/web/support/person.ts'
import { shrinkPng } from './shrink-png.ts'

const FOLDER = join(import.meta.dirname, '../docs/images')
const MOST_BYTES = 300_000
const DESKTOP = { viewport: { width: 1400, height: 900 }, deviceScaleFactor: 2, colorScheme: 'light' } as const
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const

await buildPage()
mkdirSync(FOLDER, { recursive: true })
const home = mkdtempSync(join(tmpdir(), 'segno-pictures-'))
const server = await startServer({ home })
const browser = await launchChromium()
try {
  await makeAll(browser, server.url)
} finally {
  await browser.close()
  await server.kill()
  rmSync(home, { recursive: true, force: true })
}

async function makeAll(from: Browser, url: string): Promise<void> {
  for (const title of ['What is 17 * 23?', 'What time is it?', 'Notes for the release', 'Why is the build slow?'])
    await talk(url, title)

  const page = await open(from, url, DESKTOP)
  await button(page, 'Take the tour').waitFor()
  await take(page, 'start')
  await button(page, 'Take the tour').click()
  await askFor(page, 'write_file').waitFor()
  await take(page, 'approval')
  await button(askFor(page, 'write_file'), 'Approve').click()
  await endOf(page, 'answered').waitFor()
  await take(page, 'conversation')
  await endOf(page, 'answered').click()
  await inspector(page).getByText('Timeline').waitFor()
  await take(page, 'inspector')
  const tour = await sessionOf(page)
  await page.goto(`${url}/#/operator/overview`)
  await beBusy(url)
  await take(page, 'operator')
  await page.context().close()

  const dark = await open(from, `${url}/#/s/${tour}`, { ...DESKTOP, colorScheme: 'dark' })
  await say(dark, 'Tell me a long story')
  await answers(dark).nth(1).getByText('Her trouble was the cat').waitFor()
  await take(dark, 'dark')
  await button(dark, 'Stop').click()
  await dark.context().close()

  // So that the question shows what changes.
  writeFileSync(join(home, 'workspace/tour/note.md'), '# A note from the tour\n\nNobody was asked yet.\n')
  const phone = await open(from, url, PHONE)
  await say(phone, 'tour')
  await askFor(phone, 'write_file').waitFor()
  await take(phone, 'phone')
  await phone.context().close()
}

/** Half a minute of people at work, so that the charts have something to show. */
async function beBusy(url: string): Promise<void> {
  const asking = await ask(url, 'POST', '/api/sessions', { title: 'Tidy up the archive' })
  await ask(url, 'POST', `/api/sessions/${asking.body.id}/messages`, { content: 'tour' })
  const { body } = await ask(url, 'POST', '/api/sessions', { title: 'Accounts' })
  for (const many of [1, 3, 2, 5, 1, 0, 4, 6, 2, 3, 1, 2]) {
    const content = many % 2 === 0 ? 'What is 17 * 23?' : 'Write to the people who wait'
    const send = (): Promise<unknown> => ask(url, 'POST', `/api/sessions/${body.id}/messages?wait=1`, { content })
    await Promise.all([...Array.from({ length: many }, send), sleep(2500)])
  }
}

async function open(from: Browser, url: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await from.newContext({ reducedMotion: 'reduce', ...options })).newPage()
  await page.goto(url)
  return page
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  const picture = shrinkPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
  writeFileSync(join(FOLDER, `${name}.png`), picture)
  console.log(`${name}.png ${Math.round(picture.length / 1000)} KB`)
  if (picture.length > MOST_BYTES) throw new Error(`${name}.png has more than ${MOST_BYTES} bytes`)
}

async function talk(url: string, content: string): Promise<void> {
  const { body } = await ask(url, 'POST', '/api/sessions', { title: content })
  await ask(url, 'POST', `/api/sessions/${body.id}/messages?wait=1`, { content })
}
