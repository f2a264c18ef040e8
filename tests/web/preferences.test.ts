import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { asUser } from './support/as-user.ts'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { button, sidebar } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Preferences' })
const words = (page: Page) => dialog(page).getByRole('textbox', { name: 'Your own instructions' })

async function open(page: Page): Promise<void> {
  await sidebar(page)
    .getByRole('button', { name: /tenant/ })
    .click()
  await page.getByRole('menuitem', { name: /^Preferences/ }).click()
  await words(page).waitFor()
}

verifies('GOV-5', 'what somebody wants of every answer is set, shown as it was cleaned, and forgotten', async () => {
  const stage = await openStage()
  const { page } = await visit(stage.url)
  await open(page)
  // Remembering is off until it is allowed, the web is on until it is not.
  expect(
    await dialog(page)
      .getByRole('checkbox', { name: /remember/ })
      .isChecked(),
  ).toBe(false)
  expect(await dialog(page).getByRole('checkbox', { name: /web/ }).isChecked()).toBe(true)
  expect(await button(dialog(page), 'Forget all…').count()).toBe(0)
  await dialog(page).getByLabel('Length of answers').selectOption('concise')
  await dialog(page).getByLabel('Tone').selectOption('formal')
  await words(page).fill('Call me Ada.\u202e Be\u200b brief.')
  await dialog(page).getByText('24 of 2000 characters').waitFor()
  await dialog(page).getByRole('checkbox', { name: /web/ }).uncheck()
  await button(dialog(page), 'Save').click()
  await dialog(page).getByText('Saved.').waitFor()
  await dialog(page)
    .getByText(/^Taken out of your instructions/)
    .getByText('\\u{202e}\\u{200b}')
    .waitFor()
  expect(await words(page).inputValue()).toBe('Call me Ada. Be brief.')
  const stored = {
    responseLength: 'concise',
    formality: 'formal',
    customInstructions: 'Call me Ada. Be brief.',
    allowWebSearch: false,
  }
  expect(await stage.get('/api/preferences')).toEqual(stored)
  expect(await barriers(page)).toEqual([])

  // One that is taken back is not set any more.
  await dialog(page).getByLabel('Tone').selectOption('not set')
  await button(dialog(page), 'Save').click()
  await dialog(page).getByText('Saved.').waitFor()
  const { formality: _, ...left } = stored
  await eventually(() => stage.get('/api/preferences')).toEqual(left)

  await button(dialog(page), 'Forget all…').click()
  const asks = page.getByRole('dialog', { name: 'Forget all your preferences?' })
  expect(await asks.innerText()).toContain('also erased from the prompts that were sent before')
  await button(asks, 'Keep them').click()
  expect(await stage.get('/api/preferences')).toEqual(left)
  await button(dialog(page), 'Forget all…').click()
  await button(asks, 'Forget them').click()
  await dialog(page).getByText('Everything was forgotten.').waitFor()
  expect(await words(page).inputValue()).toBe('')
  expect(await stage.get('/api/preferences')).toEqual({})
})

test('instructions that are too long are not sent, and nothing of them is lost', async () => {
  const stage = await openStage()
  const { page } = await visit(stage.url)
  await open(page)
  await words(page).fill('x'.repeat(2001))
  await dialog(page).getByText('2001 of 2000 characters: too long to be saved').waitFor()
  expect(await button(dialog(page), 'Save').isDisabled()).toBe(true)
  expect(await words(page).inputValue()).toHaveLength(2001)
  await words(page).fill('x'.repeat(2000))
  await button(dialog(page), 'Save').click()
  await dialog(page).getByText('Saved.').waitFor()
  expect(await stage.get('/api/preferences')).toEqual({ customInstructions: 'x'.repeat(2000) })
})

test('everybody has their own, and the keyboard is enough to set them', async () => {
  const stage = await openStage()
  await visit(stage.url)
  const { page } = await visit(stage.url, {
    ...(await asUser(stage, 'ada', 'user')),
    viewport: { width: 390, height: 844 },
  })
  await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('preferences')
  await page.keyboard.press('Enter')
  await words(page).focus()
  await page.keyboard.type('Call me Ada.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await button(dialog(page), 'Save').press('Enter')
  await dialog(page).getByText('Saved.').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await stage.get('/api/preferences')).toEqual({})
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('preferences')
  await page.keyboard.press('Enter')
  await eventually(() => words(page).inputValue()).toBe('Call me Ada.')
  expect(
    await dialog(page)
      .getByRole('checkbox', { name: /remember/ })
      .isChecked(),
  ).toBe(true)
})
