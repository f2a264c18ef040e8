import { expect, test } from 'vitest'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { answers, button, composer, endOf, inspector, messages, said, say, sayAndHear } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const add = (number: number) => ({ calls: [{ name: 'calculator', args: { expression: `${number} + 1` } }] })
const script = {
  scenarios: [{ when: '^count', turns: [add(1), add(2), { text: 'Two of three.' }] }],
  otherwise: { text: 'Yes.' },
}
const env = { SEGNO_LIMITS_MAX_TOOL_CALLS: '2' }

test.each([1280, 390])('a round that used up its calls goes on with a key, %i pixels', async (width) => {
  const stage = await openStage({ script, env })
  const { page } = await visit(stage.url, { viewport: { width, height: 780 } })
  await sayAndHear(page, 'hello')
  await say(page, 'count')
  await endOf(page, 'stopped').waitFor()
  await eventually(() => page.locator('[aria-live=polite]').allInnerTexts()).toContainEqual(
    expect.stringMatching(/used up.*You can continue it\.$/),
  )
  expect(await barriers(page)).toEqual([])
  await button(page, 'Continue').focus()
  await page.keyboard.press('Enter')
  await endOf(page, 'stopped').nth(1).waitFor()
  // The keyboard is where the next message is written.
  expect(await composer(page).evaluate((field) => field === document.activeElement)).toBe(true)

  // Nobody typed what the model was told, so nobody is shown as having said it, nor can edit it or send it again.
  const check = async (): Promise<void> => {
    await messages(page).getByText('Continued', { exact: true }).waitFor()
    expect(await said(page).allInnerTexts()).toHaveLength(2)
    expect(await button(page, 'Retry').count()).toBe(0)
    expect(await answers(page).last().getByRole('button', { name: 'Continue', exact: true }).count()).toBe(1)
    expect(await button(page, 'Continue').count()).toBe(1)
  }
  await check()
  await page.reload()
  await check()
  expect(await barriers(page)).toEqual([])
  await endOf(page, 'stopped').last().click()
  await inspector(page)
    .getByRole('combobox', { name: 'Choose the round' })
    .getByText(/Continued$/)
    .waitFor({ state: 'attached' })
})

test('a fork does not offer to continue the rounds of the conversation it came from', async () => {
  const stage = await openStage({ script, env })
  const { page } = await visit(stage.url)
  await say(page, 'count')
  await button(page, 'Continue').waitFor()
  const before = page.url()
  await page.getByRole('article', { name: 'Segno' }).hover()
  await button(page, 'Fork from here').click()
  await page.waitForURL((url) => url.href !== before)
  await endOf(page, 'stopped').waitFor()
  await messages(page).getByText('Forked from').waitFor()
  expect(await button(page, 'Continue').count()).toBe(0)
})
