import { expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { answers, button, endOf, inspector, said, sayAndHear, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { shownTalk, storedTalk } from './support/truth.ts'
import { visit } from './support/visit.ts'

const script = { otherwise: { text: 'You said {{message}}.' } }

test('a message that is edited goes into a fork, and the conversation it came from stays as it was', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'one')
  await sayAndHear(page, 'two')
  await sayAndHear(page, 'three')
  const first = await sessionOf(page)
  const before = await storedTalk(stage, first)

  await said(page).nth(1).hover()
  await button(said(page).nth(1), 'Edit').click()
  const field = said(page).nth(1).getByRole('textbox', { name: 'Edit your message' })
  expect(await field.inputValue()).toBe('two')
  await field.fill('two and a half')
  await button(page, 'Send as a fork').click()
  await eventually(() => sessionOf(page)).not.toBe(first)
  await answers(page).nth(1).getByText('You said two and a half.').waitFor()
  await eventually(() => shownTalk(page)).toEqual({
    said: ['one', 'two and a half'],
    answered: ['You said one.', 'You said two and a half.'],
  })
  expect(await storedTalk(stage, await sessionOf(page))).toEqual(await shownTalk(page))
  expect(await storedTalk(stage, first)).toEqual(before)

  await button(page, 'How this came about').click()
  await inspector(page).getByRole('tab', { name: 'Forks' }).click()
  const tree = inspector(page).getByRole('tabpanel')
  await eventually(() => tree.getByRole('link').count()).toBeGreaterThanOrEqual(1)
  await tree.getByRole('link').first().click()
  await eventually(() => sessionOf(page)).toBe(first)
  await eventually(() => shownTalk(page)).toEqual(before)
})

test('the first message of all is edited too', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'one')
  const first = await sessionOf(page)
  await page.keyboard.press('ArrowUp')
  const field = page.getByRole('textbox', { name: 'Edit your message' })
  await field.fill('uno')
  await field.press('Enter')
  await eventually(() => sessionOf(page)).not.toBe(first)
  await endOf(page, 'answered').waitFor()
  await eventually(() => shownTalk(page)).toEqual({ said: ['uno'], answered: ['You said uno.'] })
})
