import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { button, choose, composer, endOf, inspector, messages, sayAndHear, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const LONG = 'Rye takes a day to rise, so it is best to order it early. '.repeat(5)
const summary = (turn: object) => ({ when: '', purpose: 'summary' as const, turns: [turn] })
const script = (turn: object) => ({ scenarios: [summary(turn)], otherwise: { text: LONG } })
const line = (page: Page) => messages(page).getByRole('region', { name: 'Summary for the assistant' })

test('earlier messages are summarised on request, shown as one line, and stay where they are', async () => {
  const stage = await openStage({
    script: script({ text: 'They talked about **rye**.', delayMs: 60, deltaChars: 1 }),
  })
  const { page } = await visit(stage.url)
  for (const words of ['first', 'second', 'third']) await sayAndHear(page, words)
  await choose(page, 'Conversation menu', 'Summarise earlier messages')
  await page.getByRole('status').getByText('Summarising earlier messages').waitFor()
  await line(page).waitFor()
  await eventually(() => page.getByText('Summarising earlier messages').count()).toBe(0)
  expect(await line(page).getByText('They talked about').count()).toBe(0)
  // With the keyboard: unfold it, and go to what it stands for.
  await line(page).getByRole('button').focus()
  await page.keyboard.press('Enter')
  await line(page).getByText('They talked about rye.').waitFor()
  expect(await line(page).innerText()).toContain('Asked for by owner, written by scripted')
  expect(await barriers(page)).toEqual([])
  const { data } = (await stage.events(await sessionOf(page))).find(({ type }) => type === 'compact.summary') ?? {}
  expect(data).toMatchObject({ text: 'They talked about **rye**.', by: 'owner' })
  await line(page).getByRole('link', { name: 'Go to the messages it stands for' }).focus()
  await page.keyboard.press('Enter')
  await messages(page).locator('.conv-marked').waitFor()
  expect(await messages(page).getByRole('article', { name: 'You' }).count()).toBe(3)

  // The model goes on with the summary, and the inspector tells what it stands for.
  await sayAndHear(page, 'fourth')
  await button(page, 'How this came about').click()
  await inspector(page).getByRole('tab', { name: 'Prompt' }).click()
  await button(inspector(page), 'As it was sent').click()
  await inspector(page).getByText('A summary stands for them.').waitFor()

  // Who deletes a message it stood for sees that it does not count any more.
  expect(await line(page).innerText()).toContain('Earlier messages are summarised for the assistant')
  const id = await sessionOf(page)
  const first = (await stage.events(id)).find(({ type }) => type === 'message.user')
  await fetch(`${stage.url}/api/sessions/${id}/messages/${first?.id}`, { method: 'DELETE' })
  await line(page).getByText('A summary that is not used any more: a message it stood for was deleted').waitFor()
})

test('a summary that could not be made is a quiet line with the reason, also on a phone', async () => {
  const stage = await openStage({ script: script({ fault: { kind: 'error', status: 400 } }) })
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  const { page } = await visit(stage.url, phone)
  await sayAndHear(page, 'first')
  // From the palette; there is nothing before the only exchange.
  const summarise = async (): Promise<void> => {
    await composer(page).focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('summarise')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await summarise()
  await messages(page).getByText('There is nothing to summarise yet.').waitFor()
  await sayAndHear(page, 'second')
  await summarise()
  await messages(page)
    .getByText(/could not be summarised for the assistant\. The model call failed/)
    .waitFor()
  expect(await line(page).count()).toBe(0)
  await sayAndHear(page, 'third')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('a conversation that gets too long is summarised before the answer, inside its round', async () => {
  const stage = await openStage({
    script: script({ text: 'They talked about rye.' }),
    env: { SEGNO_LIMITS_HISTORY_MESSAGES: '6' },
  })
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'message 1')
  for (let n = 2; n < 10 && (await line(page).count()) === 0; n++) await sayAndHear(page, `message ${n}`)
  await line(page).getByRole('button').click()
  await line(page).getByText('They talked about rye.').waitFor()
  expect(await line(page).innerText()).toContain('Made when the context was getting full')
  // Where its time went is told with the round.
  await endOf(page, 'answered').last().click()
  const row = inspector(page).getByRole('row', { name: /^Summary/ })
  await row.getByRole('button').click()
  await inspector(page).getByText('the conversation is nearly as long as the model can be shown').waitFor()
})
