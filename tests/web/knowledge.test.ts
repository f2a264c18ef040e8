import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask } from '../server/support/ask.ts'
import { verifies } from '../support/verifies.ts'
import { asUser } from './support/as-user.ts'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { REFUSED } from './support/guard.ts'
import { button, sidebar } from './support/person.ts'
import { openStage, type Stage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const AT = '#/operator/knowledge'
const main = (page: Page) => page.getByRole('main')
const uploads = (page: Page) => main(page).getByRole('list', { name: 'Uploads' }).getByRole('listitem')
const row = (page: Page, title: string) => main(page).getByRole('row', { name: title })
const passages = (page: Page, version: number) =>
  main(page).getByRole('list', { name: `Passages of version ${version}` })
const heading = (page: Page, name: string) => main(page).getByRole('heading', { name })
const file = (name: string, text: string) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) })

const LEAVE = '# Leave\n\nEverybody has 28 days of leave a year.\n'

/** A document that somebody else approved and that is found. */
async function published(stage: Stage, reviewer: { key: string }, wanted: object): Promise<string> {
  const { id = '' } = await stage.post('/api/knowledge', wanted)
  await stage.post(`/api/knowledge/${id}/submit`)
  await ask(stage.url, 'POST', `/api/knowledge/${id}/approve`, {}, { authorization: `Bearer ${reviewer.key}` })
  await stage.post(`/api/knowledge/${id}/publish`)
  return id
}

verifies(
  'GOV-19',
  'a file goes from an upload over a review by somebody else to where it is found, version by version',
  async () => {
    const stage = await openStage()
    const rob = await asUser(stage, 'rob', 'reviewer')
    const { page: author, guard: authorGuard } = await visit(stage.url, { at: AT })
    await author.getByText('segno knowledge import FOLDER').waitFor()
    expect(await barriers(author)).toEqual([])
    await author.getByLabel('Upload files…').setInputFiles([file('leave.md', LEAVE)])
    await uploads(author).getByText('1 passage').waitFor()
    await uploads(author).getByRole('link', { name: 'leave' }).click()
    await passages(author, 1).getByText('Everybody has 28 days').waitFor()
    await button(author, 'Rename').click()
    await author.getByRole('textbox', { name: 'Title of the document' }).fill('Leave')
    await author.keyboard.press('Enter')
    // Not "leave", as it was called by its file.
    await main(author)
      .getByRole('heading', { name: /^Leave/ })
      .waitFor()
    await button(author, 'Submit for review').click()
    await author.getByText('You wrote it: somebody else has to review it.').waitFor()
    await author.getByText('or drop it here. It becomes a draft again, to be submitted anew.').waitFor()

    // A reviewer comes by the sidebar, sends it back once, and approves what comes then.
    const { page: reviewer, guard: reviewerGuard } = await visit(stage.url, rob)
    await sidebar(reviewer).getByRole('link', { name: 'Knowledge' }).click()
    await main(reviewer).getByRole('region', { name: 'Waits for review' }).getByRole('link', { name: 'Leave' }).click()
    await passages(reviewer, 1).getByText('Everybody has 28 days').waitFor()
    await button(reviewer, 'Reject…').click()
    // The field for the reason has the keyboard already.
    await reviewer.keyboard.type('It is 30 by now.')
    await button(reviewer.getByRole('dialog'), 'Reject').click()
    await author.getByText('Rejected, because: It is 30 by now.').waitFor()
    await heading(author, 'draft, rejected').waitFor()
    await author.getByLabel('New version from a file…').setInputFiles([file('leave.md', LEAVE.replace('28', '30'))])
    await passages(author, 1).getByText('Everybody has 30 days').waitFor()
    await button(author, 'Submit for review').click()
    await button(reviewer, 'Approve').click()
    await heading(reviewer, 'approved').waitFor()
    expect(await button(reviewer, 'Publish…').count()).toBe(0)

    await button(author, 'Publish…').click()
    await button(author.getByRole('dialog', { name: 'Publish Leave?' }), 'Publish').click()
    await heading(author, 'published').waitFor()
    await author.getByLabel('New version from a file…').setInputFiles([file('leave.md', LEAVE.replace('28', '31'))])
    await heading(author, 'draft (version 1 is found)').waitFor()
    await passages(author, 2).getByText('Everybody has 31 days').waitFor()
    await author.getByRole('combobox', { name: 'Of version' }).selectOption('1')
    await passages(author, 1).getByText('Everybody has 30 days').waitFor()
    expect(await barriers(author)).toEqual([])

    // What conversations find is the published version, with its place.
    await main(author).getByRole('link', { name: 'All documents' }).click()
    await author.getByRole('searchbox', { name: 'What would be found for' }).fill('how many days of leave')
    await author.keyboard.press('Enter')
    const found = main(author).getByRole('list', { name: 'Found passages' }).getByRole('listitem')
    await found.getByText('Everybody has 30 days').waitFor()
    expect(await found.innerText()).toMatch(/Leave[^]*score \d/)
    await author
      .getByText('1 of 1 passages can be found by meaning')
      .or(author.getByText('2 of 2 passages can be found by meaning'))
      .waitFor()

    // Both look at it again and again, also when it is gone.
    authorGuard.expect(REFUSED)
    reviewerGuard.expect(REFUSED)
    await row(author, 'Leave').getByRole('link').click()
    await button(author, 'Delete…').click()
    await button(author.getByRole('dialog', { name: 'Delete Leave?' }), 'Delete').click()
    await author.getByText('segno knowledge import FOLDER').waitFor()
    expect((await stage.get('/api/knowledge')).items).toEqual([])
    await reviewer.getByText('There is no document').waitFor()
    await heading(reviewer, 'Leave').waitFor({ state: 'detached' })
    await reviewer.getByText('Everybody has').waitFor({ state: 'detached' })
  },
)

test('what somebody changed can be changed further at once, before it is read again', async () => {
  const stage = await openStage()
  const { id = '' } = await stage.post('/api/knowledge', { title: 'leave', content: LEAVE })
  const { page } = await visit(stage.url, { at: `${AT}?id=${id}` })
  await passages(page, 1).waitFor()
  const read = Promise.withResolvers<void>()
  await page.route(`**/api/knowledge/${id}`, async (route) => {
    if (route.request().method() === 'GET') await read.promise
    await route.continue()
  })
  await button(page, 'Rename').click()
  await page.getByRole('textbox', { name: 'Title of the document' }).fill('Leave')
  await page.keyboard.press('Enter')
  await main(page)
    .getByRole('heading', { name: /^Leave/ })
    .waitFor()
  await button(page, 'Submit for review').click()
  await page.getByText('You wrote it: somebody else has to review it.').waitFor()
  read.resolve()
})

test('files that are dropped go one after the other with what has gone, and each that cannot be read says why', async () => {
  const stage = await openStage()
  const { page, guard } = await visit(stage.url, { at: AT })
  guard.expect(REFUSED)
  await button(page, 'Upload files…').waitFor()
  // So that what is on its way can be seen.
  const uploaded = Promise.withResolvers<void>()
  await page.route('**/api/knowledge', async (route) => {
    if (route.request().method() === 'POST') await uploaded.promise
    await route.continue()
  })
  const given = await page.evaluateHandle(
    (names) => {
      const transfer = new DataTransfer()
      for (const name of names) transfer.items.add(new File([`# ${name}\n\nWords of ${name}.`], name))
      transfer.items.add(
        new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])], 'picture.png', { type: 'image/png' }),
      )
      transfer.items.add(new File([`# ${names[0]}\n\nWords of ${names[0]}.`], 'again.md'))
      return transfer
    },
    ['one.md', 'two.txt'],
  )
  await main(page).getByRole('button', { name: 'Upload files…' }).dispatchEvent('drop', { dataTransfer: given })
  await page.getByRole('progressbar', { name: 'Upload of one.md' }).waitFor()
  expect(await uploads(page).nth(1).innerText()).toContain('waits')
  expect(await barriers(page)).toEqual([])
  uploaded.resolve()
  await page.getByText('2 of 4 uploaded').waitFor()
  await uploads(page)
    .nth(2)
    .getByRole('alert')
    .getByText('of a type that cannot be read; save it as Markdown')
    .waitFor()
  await uploads(page).nth(3).getByRole('alert').getByText('with the same content').waitFor()
  // Going away and coming back loses nothing of it.
  await page.goto(new URL('/#/', stage.url).href)
  await page.goto(new URL(`/${AT}`, stage.url).href)
  await uploads(page).nth(3).waitFor()
  await button(page, 'Clear the list').click()
  await uploads(page).first().waitFor({ state: 'detached' })
  await eventually(() => main(page).getByRole('region', { name: 'Documents' }).getByRole('row').count()).toBe(3)
})

test('how much of a large file has gone is seen, then that it is read; one that is too large never leaves', async () => {
  const stage = await openStage({ env: { SEGNO_LIMITS_DOCUMENT_BYTES: '500000' } })
  const { page } = await visit(stage.url, { at: AT })
  await button(page, 'Upload files…').waitFor()
  const devtools = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 }
  await devtools.send('Network.emulateNetworkConditions', slow)
  const seen = page.evaluate(async () => {
    const words = new Set<string>()
    while (!document.body.innerText.includes('1 of 2 uploaded')) {
      words.add(document.querySelector('.op-uploads li')?.textContent ?? '')
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    return [...words]
  })
  const large = `# Large\n\n${'A sentence of many. '.repeat(20_000)}`
  await page.getByLabel('Upload files…').setInputFiles([file('large.md', large), file('huge.md', large.repeat(2))])
  await uploads(page).nth(1).getByRole('alert').getByText('It has 781.3 KB; a document may have 488.3 KB.').waitFor()
  const steps = await seen
  const gone = steps.flatMap((text) => /([\d.]+) KB of 390\.6 KB/.exec(text)?.[1] ?? []).map(Number)
  expect(gone.length).toBeGreaterThan(2)
  expect(gone.toSorted((one, other) => one - other)).toEqual(gone)
  expect(steps.some((text) => text.includes('reading…'))).toBe(true)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await button(uploads(page).nth(1), 'Try again').click()
  await uploads(page).nth(1).getByRole('alert').waitFor()
  expect(sent).toEqual([])
})

test('documents are shown by workspace and status, and a search is tried as a conversation of one would do it', async () => {
  const stage = await openStage()
  const rob = await asUser(stage, 'rob', 'reviewer')
  const { id: workspaceId = '' } = await stage.post('/api/workspaces', { name: 'Sales' })
  await published(stage, rob, { title: 'Leave', content: LEAVE })
  await published(stage, rob, { title: 'Discounts', content: '# Discounts\n\nTen percent of leave.', workspaceId })
  const { page } = await visit(stage.url, { at: AT })
  await row(page, 'Discounts').getByText('Sales').waitFor()
  await row(page, 'Leave').getByText('system').waitFor()
  const search = page.getByRole('form', { name: 'Try a search' })
  const found = main(page).getByRole('list', { name: 'Found passages' })
  await search.getByRole('searchbox').fill('leave')
  await button(search, 'Search').click()
  await found.getByRole('link', { name: 'Leave' }).waitFor()
  expect(await found.getByRole('link', { name: 'Discounts' }).count()).toBe(0)
  await search.getByRole('combobox', { name: 'In a conversation of' }).selectOption('Sales')
  await button(search, 'Search').click()
  await found.getByRole('link', { name: 'Discounts' }).waitFor()
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption('Sales')
  await row(page, 'Leave').waitFor({ state: 'detached' })
  await row(page, 'Discounts').waitFor()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('draft')
  await page.getByText('No document fits these filters.').waitFor()
  expect(await page.getByText('All at once').count()).toBe(0)
  await stage.post('/api/knowledge', { title: 'Prices', content: '# Prices', workspaceId })
  await page.getByText(`All at once: segno knowledge submit --all --workspace ${workspaceId}`).waitFor()
  await row(page, 'Prices').getByRole('link').click()
  await page.getByText('workspace Sales').waitFor()
})

test('beside a long title a status stands in one line', async () => {
  const stage = await openStage()
  await stage.post('/api/workspaces', { name: 'Sales' })
  const title = 'Travel expenses abroad '.repeat(8).trim()
  const rob = await asUser(stage, 'rob', 'reviewer')
  await published(stage, rob, { title, content: LEAVE, source: 'handbook/travel/abroad/expenses.md' })
  const { page } = await visit(stage.url, { at: AT })
  const state = row(page, title).getByText('published', { exact: true })
  expect((await state.boundingBox())?.height).toBeLessThan(30)
})

test('a person who only reads sees documents and can do nothing, also on a phone', async () => {
  const stage = await openStage()
  const ada = await asUser(stage, 'ada', 'user')
  const { id = '' } = await stage.post('/api/knowledge', { title: 'Leave', content: LEAVE })
  await stage.post(`/api/knowledge/${id}/submit`)
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  const { page } = await visit(stage.url, { ...ada, ...phone, at: AT })
  await row(page, 'Leave').first().waitFor()
  expect(await page.getByRole('navigation', { name: 'Operator pages' }).count()).toBe(0)
  expect(await button(page, 'Upload files…').count()).toBe(0)
  await row(page, 'Leave').first().getByRole('link').click()
  await passages(page, 1).waitFor()
  await page.getByText('Reviewing needs the permission knowledge:review').waitFor()
  expect(
    await main(page)
      .getByRole('button', { name: /Delete|Publish|Rename|version/ })
      .count(),
  ).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
