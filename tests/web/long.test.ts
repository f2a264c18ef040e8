import { expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { answers, endOf, messages, say } from './support/person.ts'
import { seedLongSession } from './support/seed.ts'
import { newHome, openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const MESSAGES = 2000
/** A page that held every message would have ten times as many. */
const MOST_ELEMENTS = 6000

test('a conversation of two thousand messages opens at its end, goes on, and is read back to its beginning', async () => {
  const home = newHome()
  const { sessionId, first, last } = await seedLongSession(home, MESSAGES)
  const stage = await openStage({ script: { otherwise: { text: 'One more answer.' } }, home })
  const { page } = await visit(stage.url, { at: `#/s/${sessionId}` })
  await messages(page).getByText(last).waitFor()
  expect(await page.locator('*').count()).toBeLessThan(MOST_ELEMENTS)
  await say(page, 'one more')
  await messages(page).getByText('One more answer.').waitFor()
  await endOf(page, 'answered').last().waitFor()

  // Going up draws what comes before, and what is on the screen stays where it is.
  const before = await answers(page).count()
  const held = await messages(page).evaluateHandle((box) => {
    box.scrollTop = 900
    const { top } = box.getBoundingClientRect()
    const first = [...box.querySelectorAll('article')].find((one) => one.getBoundingClientRect().top >= top)
    return { element: first, top: first?.getBoundingClientRect().top ?? NaN }
  })
  await eventually(() => answers(page).count()).toBeGreaterThan(before)
  const moved = await held.evaluate(({ element, top }) => (element?.getBoundingClientRect().top ?? NaN) - top)
  expect(Math.abs(moved)).toBeLessThan(3)

  for (let i = 0; i < 200 && !(await messages(page).getByText(first, { exact: true }).isVisible()); i++) {
    await messages(page).evaluate((box) => void (box.scrollTop = 0))
    await page.waitForTimeout(20)
  }
  await messages(page).getByText(first, { exact: true }).waitFor()
  // Back at the end it is small again.
  await page.getByRole('button', { name: /To the end|New text below/ }).click()
  await messages(page).getByText('One more answer.').waitFor()
  await eventually(() => page.locator('*').count()).toBeLessThan(MOST_ELEMENTS)
})
