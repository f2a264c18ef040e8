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

  const box = messages(page)
  const before = await answers(page).count()
  await box.evaluate((element) => void (element.scrollTop = 0))
  await eventually(() => answers(page).count()).toBeGreaterThan(before)
  const shown = await answers(page).count()
  for (let i = 0; i < 100 && (await messages(page).getByText(first, { exact: true }).count()) === 0; i++) {
    await box.evaluate((element) => void (element.scrollTop = 0))
    await page.waitForTimeout(20)
  }
  await messages(page).getByText(first, { exact: true }).waitFor()
  expect(await answers(page).count()).toBeGreaterThan(shown)
  // Back at the end it is small again.
  await page.getByRole('button', { name: /To the end|New text below/ }).click()
  await messages(page).getByText('One more answer.').waitFor()
  await eventually(() => page.locator('*').count()).toBeLessThan(MOST_ELEMENTS)
})
