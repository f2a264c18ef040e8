import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask } from '../server/support/ask.ts'
import { verifies } from '../support/verifies.ts'
import { asUser } from './support/as-user.ts'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { REFUSED } from './support/guard.ts'
import { button, composer, endOf, sayAndHear, sessionOf, sidebar } from './support/person.ts'
import { openStage, type Stage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const main = (page: Page) => page.getByRole('main')
const heading = (page: Page, name: string) => main(page).getByRole('heading', { name })
const card = (page: Page, name: string) => main(page).getByRole('listitem').filter({ hasText: name })
const statusOf = (page: Page, version: string) =>
  main(page).getByRole('row', { name: version }).getByRole('cell').nth(1)

/** A version that somebody else approved and that is active. */
async function activePrompt(stage: Stage, reviewer: { key: string }, content: string): Promise<string> {
  const { id = '' } = await stage.post('/api/prompts', { name: 'House', content })
  await stage.post(`/api/prompts/${id}/submit`)
  await ask(stage.url, 'POST', `/api/prompts/${id}/approve`, {}, { authorization: `Bearer ${reviewer.key}` })
  await stage.post(`/api/prompts/${id}/activate`)
  return id
}

verifies('GOV-4', 'a prompt goes from a draft over a review by somebody else to active, and back again', async () => {
  const stage = await openStage()
  const rob = await asUser(stage, 'rob', 'reviewer')
  const first = await activePrompt(stage, rob, 'Be kind.\nSay when you do not know.')

  // The author writes the next version.
  const { page: author } = await visit(stage.url, { at: `#/operator/prompts?id=${first}` })
  await button(author, 'New version').click()
  await heading(author, 'House v2').waitFor()
  await author.getByRole('textbox', { name: 'What the assistant is told' }).fill('Be kind.\nBe brief.')
  await button(author, 'Save').click()
  const changes = author.getByRole('group', { name: 'Changes from House v1 to House v2' })
  await changes.getByText('+Be brief.').waitFor()
  await changes.getByText('-Say when you do not know.').waitFor()
  await button(author, 'Submit for review').click()
  await author.getByText('You wrote it: somebody else has to review it.').waitFor()
  expect(await button(author, 'Approve').count()).toBe(0)

  // A reviewer sends it back once, and approves what comes then.
  const { page: reviewer } = await visit(stage.url, rob)
  await sidebar(reviewer).getByRole('link', { name: 'Prompts' }).click()
  const waits = card(reviewer, 'House v2')
  await waits.getByText('+Be brief.').waitFor()
  await waits.getByRole('button', { name: 'Reject…' }).click()
  const asks = reviewer.getByRole('dialog', { name: 'Reject House v2?' })
  expect(await button(asks, 'Reject').isDisabled()).toBe(true)
  await asks.getByRole('textbox').fill('Keep the line about not knowing.')
  await button(asks, 'Reject').click()
  await waits.waitFor({ state: 'detached' })
  await author.getByText('Rejected, because: Keep the line about not knowing.').waitFor()
  await button(author, 'Edit').click()
  await author
    .getByRole('textbox', { name: 'What the assistant is told' })
    .fill('Be kind.\nSay when you do not know.\nBe brief.')
  await button(author, 'Save').click()
  await button(author, 'Submit for review').click()
  await waits.getByText('1 line added, 0 removed').waitFor()
  await button(waits, 'Approve').click()
  await waits.waitFor({ state: 'detached' })
  expect(await button(reviewer, 'Make it active…').count()).toBe(0)

  // Whoever may publish makes it active; the one before can come back.
  await button(author, 'Make it active…').click()
  await button(author.getByRole('dialog'), 'Make it active').click()
  await eventually(() => statusOf(author, 'House v2').innerText()).toBe('active')
  await eventually(() => statusOf(author, 'House v1').innerText()).toBe('deprecated')
  await main(author).getByRole('link', { name: 'House v1' }).click()
  await button(author, 'Make it active…').click()
  await author.getByRole('dialog').getByRole('textbox').fill('v2 was too curt')
  await button(author.getByRole('dialog'), 'Make it active').click()
  await author.getByText('Reason: v2 was too curt').waitFor()
  await eventually(() => statusOf(author, 'House v1').innerText()).toBe('active')
  await eventually(() => statusOf(author, 'House v2').innerText()).toBe('deprecated')
  expect((await stage.get('/api/prompts?status=active')).items).toMatchObject([{ id: first, reviewer: 'rob' }])
})

verifies('GOV-4', 'who wrote words of a prompt cannot approve it, whatever they try', async () => {
  const stage = await openStage()
  const ada = await asUser(stage, 'ada', 'editor')
  const { id } = await stage.post('/api/prompts', { name: 'House', content: 'Be kind.' })
  const { page, guard } = await visit(stage.url, { ...ada, at: `#/operator/prompts?id=${id}` })
  guard.expect(REFUSED)
  await button(page, 'Edit').click()
  await page.getByRole('textbox', { name: 'What the assistant is told' }).fill('Be kind to Ada.')
  await button(page, 'Save').click()
  await button(page, 'Submit for review').click()
  await page.getByText('You changed its words: somebody else has to review it.').waitFor()
  expect(await button(page, 'Approve').count()).toBe(0)
  await button(page, 'I am alone here…').click()
  const dialog = page.getByRole('dialog', { name: 'Approve your own words?' })
  await button(dialog, 'Approve it myself').click()
  await dialog.getByRole('alert').getByText('somebody else has to approve it').waitFor()
  expect((await stage.get(`/api/prompts/${id}`))['status']).toBe('pending_review')
})

test('what nobody else has looked at is shown loudly as self-approved, and alone one is told both ways out', async () => {
  const strict = await openStage()
  const { id: refused } = await strict.post('/api/prompts', { name: 'House', content: 'Be kind.' })
  await strict.post(`/api/prompts/${refused}/submit`)
  const { page: other, guard } = await visit(strict.url, { at: '#/operator/prompts' })
  guard.expect(REFUSED)
  await button(card(other, 'House v1'), 'I am alone here…').click()
  await button(other.getByRole('dialog'), 'Approve it myself').click()
  const why = other.getByRole('dialog').getByRole('alert')
  await why.waitFor()
  expect(await why.innerText()).toMatch(/segno keys add .*reviewer.*SEGNO_FOUR_EYES=off/)

  const stage = await openStage({ env: { SEGNO_FOUR_EYES: 'off' } })
  const { id } = await stage.post('/api/prompts', { name: 'House', content: 'Be kind.' })
  await stage.post(`/api/prompts/${id}/submit`)
  const { page } = await visit(stage.url, { at: '#/operator/prompts' })
  await button(card(page, 'House v1'), 'I am alone here…').click()
  await button(page.getByRole('dialog'), 'Approve it myself').click()
  await eventually(() => main(page).getByRole('row', { name: 'House v1' }).innerText()).toContain('self-approved')
  await main(page).getByRole('link', { name: 'House v1' }).click()
  await page.getByText('Nobody but its author has looked at these words.').waitFor()
  expect(await barriers(page)).toEqual([])
})

test('a draft is tried by its author in a fork of a conversation of theirs, where nothing has an effect', async () => {
  const write = { name: 'write_file', args: { path: 'a.txt', content: 'a' } }
  const script = {
    scenarios: [{ when: '^write', turns: [{ calls: [write] }, { text: 'Tried.' }] }],
    otherwise: { text: 'Yes.' },
  }
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'hello')
  const before = await sessionOf(page)
  const { id } = await stage.post('/api/prompts', { name: 'House', content: 'Be kind.' })
  await page.goto(new URL(`/#/operator/prompts?id=${id}`, stage.url).href)
  await button(page, 'Try it…').click()
  const dialog = page.getByRole('dialog', { name: 'Try House v1' })
  await dialog.getByRole('combobox', { name: 'Conversation' }).waitFor()
  await button(dialog, 'Try it in a fork').click()
  await main(page).getByText('tries draft House v1 · plan mode').waitFor()
  expect(await sessionOf(page)).not.toBe(before)
  expect(await button(page, 'Plan').getAttribute('aria-pressed')).toBe('true')
  await button(page, 'Plan').press('Enter')
  expect(await button(page, 'Plan').getAttribute('aria-pressed')).toBe('true')
  await composer(page).fill('write it')
  await composer(page).press('Enter')
  await endOf(page, 'answered').nth(1).waitFor()
  const events = await stage.events(await sessionOf(page))
  expect(events.filter(({ type }) => type === 'round.started').at(-1)?.data).toMatchObject({ mode: 'plan' })
  expect(existsSync(join(stage.home, 'workspace/a.txt'))).toBe(false)
  // The conversation itself goes on as before.
  await page.goto(new URL(`/#/s/${before}`, stage.url).href)
  await endOf(page, 'answered').waitFor()
  expect(await main(page).getByText('plan mode').count()).toBe(0)
  expect(await button(page, 'Plan').getAttribute('aria-pressed')).toBe('false')
})

test('nobody decides about words that were changed since they saw them', async () => {
  const stage = await openStage()
  const rob = await asUser(stage, 'rob', 'reviewer')
  const { id } = await stage.post('/api/prompts', { name: 'House', content: 'Be kind.' })
  await stage.post(`/api/prompts/${id}/submit`)
  const { page, guard } = await visit(stage.url, { ...rob, at: '#/operator/prompts' })
  guard.expect(REFUSED)
  await button(card(page, 'House v1'), 'Approve').waitFor()
  // From here on the page is shown what it was shown before, as if its next look were still to come.
  const seen = await page.evaluate(() =>
    fetch('/api/prompts?status=pending_review&limit=200', {
      headers: { authorization: `Bearer ${localStorage.getItem('segno.key')}` },
    }).then((response) => response.text()),
  )
  await page.route('**/api/prompts?*', (route) => route.fulfill({ contentType: 'application/json', body: seen }))
  await ask(stage.url, 'POST', `/api/prompts/${id}/reject`, { reason: 'no' }, { authorization: `Bearer ${rob.key}` })
  await ask(stage.url, 'PATCH', `/api/prompts/${id}`, { content: 'Be unkind.' })
  await stage.post(`/api/prompts/${id}/submit`)
  await button(card(page, 'House v1'), 'Approve').click()
  await card(page, 'House v1').getByRole('alert').getByText('Somebody changed this prompt meanwhile').waitFor()
  expect((await stage.get(`/api/prompts/${id}`))['status']).toBe('pending_review')
})

test('who edits a draft while somebody else does is told before saving', async () => {
  const stage = await openStage()
  const { id } = await stage.post('/api/prompts', { name: 'House', content: 'Be kind.' })
  const { page } = await visit(stage.url, { at: `#/operator/prompts?id=${id}` })
  await button(page, 'Edit').click()
  const words = page.getByRole('textbox', { name: 'What the assistant is told' })
  await words.fill('Be kind and brief.')
  await ask(stage.url, 'PATCH', `/api/prompts/${id}`, { content: 'Be unkind.' })
  await page.getByText('Somebody changed these words while you write').waitFor()
  expect(await words.inputValue()).toBe('Be kind and brief.')
})

test('with the keyboard alone a prompt is written, and what is being written survives a reload', async () => {
  const stage = await openStage()
  const { page } = await visit(stage.url)
  await button(page, 'Take the tour').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('prompts')
  await page.keyboard.press('Enter')
  await main(page).getByRole('link', { name: 'New prompt' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'What the assistant is told' }).focus()
  await page.keyboard.type('Be kind.')
  await page.reload()
  const words = page.getByRole('textbox', { name: 'What the assistant is told' })
  await eventually(() => words.inputValue()).toBe('Be kind.')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.type('House')
  await page.keyboard.press('Enter')
  await heading(page, 'House v1').waitFor()
  await page.getByRole('group', { name: 'Words of House v1' }).getByText('Be kind.').waitFor()
  await button(page, 'Edit').focus()
  await page.keyboard.press('Enter')
  await button(page, 'Cancel').press('Enter')
  await button(page, 'Edit').waitFor()
  expect((await stage.get('/api/prompts')).items).toMatchObject([{ name: 'House', status: 'draft' }])
})

test('a person who only reads sees all of it and can do nothing', async () => {
  const stage = await openStage()
  const ada = await asUser(stage, 'ada', 'user')
  const { id } = await stage.post('/api/prompts', { name: 'House', content: 'Be kind.' })
  await stage.post(`/api/prompts/${id}/submit`)
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  const { page } = await visit(stage.url, { ...ada, ...phone, at: '#/operator/prompts' })
  await card(page, 'House v1').getByText('Reviewing needs the permission prompt:review').waitFor()
  expect(await main(page).getByRole('link', { name: 'New prompt' }).count()).toBe(0)
  expect(await page.getByRole('navigation', { name: 'Operator pages' }).count()).toBe(0)
  await card(page, 'House v1').getByRole('link', { name: 'House v1' }).click()
  await page.getByRole('group', { name: 'Words of House v1' }).waitFor()
  expect(await main(page).getByRole('button').allInnerTexts()).not.toContain('Submit for review')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
