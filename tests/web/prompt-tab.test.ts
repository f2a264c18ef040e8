import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask } from '../server/support/ask.ts'
import { asUser } from './support/as-user.ts'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { button, endOf, inspector, sayAndHear } from './support/person.ts'
import { openStage, type Stage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const script = {
  scenarios: [
    {
      when: '^count',
      turns: [{ calls: [{ name: 'calculator', args: { expression: '6*7' } }] }, { text: 'It is 42.' }],
    },
  ],
  otherwise: { text: 'Yes.' },
}

const layer = (page: Page, name: string) => inspector(page).getByRole('region', { name, exact: true })

/** A prompt that rob approved is active, and the user wants to be called Ada. */
async function preparedStage(): Promise<Stage> {
  const stage = await openStage({ script })
  const rob = await asUser(stage, 'rob', 'reviewer')
  const { id } = await stage.post('/api/prompts', { name: 'House', content: 'Be kind to everybody.' })
  await stage.post(`/api/prompts/${id}/submit`)
  await ask(stage.url, 'POST', `/api/prompts/${id}/approve`, {}, { authorization: `Bearer ${rob.key}` })
  await stage.post(`/api/prompts/${id}/activate`)
  await ask(stage.url, 'PUT', '/api/preferences', { customInstructions: 'Call me Ada.' })
  return stage
}

test('what a model was sent in any turn is shown layer by layer, with where it came from', async () => {
  const stage = await preparedStage()
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'count')
  await sayAndHear(page, 'thanks')
  await button(page, 'How this came about').click()
  await inspector(page).getByRole('tab', { name: 'Prompt' }).click()
  // First what would be sent now.
  expect(await button(inspector(page), 'Now').getAttribute('aria-pressed')).toBe('true')
  await inspector(page).getByText('What the model would be sent now').waitFor()
  await button(inspector(page), 'As it was sent').click()

  // The governed prompt names its version and who approved it, and leads to it.
  await layer(page, 'system')
    .getByRole('button', { name: /^House v1/ })
    .click()
  await layer(page, 'system').getByText('approved by rob').waitFor()
  await layer(page, 'system')
    .getByRole('group', { name: 'Text of House v1' })
    .getByText('Be kind to everybody.')
    .waitFor()
  await layer(page, 'preferences')
    .getByRole('button', { name: /^preferences/ })
    .click()
  await layer(page, 'preferences').getByText('Call me Ada.').waitFor()
  await inspector(page).getByText('Nothing: all of it fitted.').waitFor()
  await inspector(page)
    .getByRole('button', { name: /^calculator/ })
    .waitFor()
  const conversation = layer(page, 'conversation')
  await eventually(() => conversation.getByRole('button').allInnerTexts()).toHaveLength(5)
  expect(await barriers(page)).toEqual([])

  // Another round and another turn: there the answer to the call is not yet, or already, in it.
  const rounds = inspector(page).getByRole('combobox', { name: 'Choose the round' })
  await rounds.selectOption({ index: 1 })
  await eventually(() => conversation.getByRole('button').count()).toBe(1)
  await inspector(page).getByRole('combobox', { name: 'Choose the turn' }).selectOption('2')
  await eventually(() => conversation.getByRole('button').count()).toBe(3)
  await conversation.getByRole('button').last().click()
  await conversation.getByText('42').first().waitFor()
  await layer(page, 'system')
    .getByRole('button', { name: /^House v1/ })
    .click()
  await layer(page, 'system').getByRole('link', { name: 'All versions' }).click()
  await page.getByRole('heading', { name: 'House v1' }).waitFor()
})

test('words that were forgotten show as erased in what was sent before', async () => {
  const stage = await preparedStage()
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  const { page } = await visit(stage.url, phone)
  await sayAndHear(page, 'hello')
  await ask(stage.url, 'DELETE', '/api/preferences')
  // From the turn in the timeline.
  await endOf(page, 'answered').click()
  await inspector(page)
    .getByRole('button', { name: /^Turn 1/ })
    .click()
  await button(inspector(page), 'What the model was sent').click()
  await layer(page, 'preferences').getByText('erased: its words are gone').waitFor()
  await inspector(page).getByText('Not letter by letter what was sent').waitFor()
  expect(await page.content()).not.toContain('Call me Ada.')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
