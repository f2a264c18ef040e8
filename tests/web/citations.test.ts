import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask } from '../server/support/ask.ts'
import { verifies } from '../support/verifies.ts'
import { asUser } from './support/as-user.ts'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { answers, button, composer, endOf, messages, say, sayAndHear, sessionOf } from './support/person.ts'
import { openStage, type Stage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const HANDBOOK =
  '# Leave\n\n## How much\n\nEverybody has 28 days of leave.\n\n## How to ask\n\nAsk your lead for leave in time.\n'
const ANSWER = 'You have **28 days** [k1], if you ask in time [k2, k9]. Not `[k1]`, and not [k7].'

const sources = (page: Page) => messages(page).getByRole('list', { name: 'Sources in documents' }).getByRole('listitem')

/** A server that knows how much leave there is. */
async function knowing(): Promise<{ stage: Stage; documentId: string }> {
  const script = {
    scenarios: [
      { when: 'slow', turns: [{ text: `${ANSWER} ${'And so on. '.repeat(100)}`, delayMs: 30, deltaChars: 12 }] },
      { when: 'leave', turns: [{ text: ANSWER }] },
    ],
    otherwise: { text: 'I do not know [k77].' },
  }
  const stage = await openStage({ script })
  const rob = await asUser(stage, 'rob', 'reviewer')
  const { id: documentId = '' } = await stage.post('/api/knowledge', { title: 'Handbook', content: HANDBOOK })
  await stage.post(`/api/knowledge/${documentId}/submit`)
  await ask(stage.url, 'POST', `/api/knowledge/${documentId}/approve`, {}, { authorization: `Bearer ${rob.key}` })
  await stage.post(`/api/knowledge/${documentId}/publish`)
  return { stage, documentId }
}

verifies('GOV-19', 'a label in an answer leads to the passage it cites, with its document and place', async () => {
  const { stage, documentId } = await knowing()
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'How much leave do I have?')
  // A label that stands for nothing, and what only looks like one, stay text.
  const label = (name: string) => button(page, `Source ${name}`)
  expect(
    await answers(page)
      .getByRole('button', { name: /^Source/ })
      .allInnerTexts(),
  ).toEqual(['k1', 'k2'])
  expect(await answers(page).locator('.md').first().innerText()).toBe(
    'You have 28 days k1, if you ask in time k2[k9]. Not [k1], and not [k7].',
  )
  await sources(page).getByText('Handbook · Leave › How').first().waitFor()
  expect(await sources(page).count()).toBe(2)

  // By the keyboard there and on, and it folds again.
  await label('k2').focus()
  await page.keyboard.press('Enter')
  const second = sources(page).nth(1)
  await second.getByRole('link', { name: 'The document' }).waitFor()
  const isFocused = (): Promise<boolean> =>
    second.getByRole('button').evaluate((one) => one === document.activeElement && one.ariaExpanded === 'true')
  await eventually(isFocused).toBe(true)
  expect(await second.innerText()).toMatch(/28 days|in time/)
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Enter')
  await second.getByRole('link').waitFor({ state: 'detached' })
  await label('k2').click()
  await second.getByRole('link', { name: 'The document' }).click()
  await page.getByRole('list', { name: 'Passages of version 1' }).getByText('28 days').waitFor()
  expect(page.url()).toContain(documentId)
})

test('while an answer is written its labels are text, and they become links when it is stored', async () => {
  const { stage } = await knowing()
  const { page } = await visit(stage.url)
  await say(page, 'slow: how much leave?')
  await answers(page).getByText('[k1]').first().waitFor()
  expect(
    await answers(page)
      .getByRole('button', { name: /^Source/ })
      .count(),
  ).toBe(0)
  await composer(page).fill('a message for later')
  await endOf(page, 'answered').waitFor()
  await button(page, 'Source k1').waitFor()
  await sources(page).nth(1).waitFor()
})

test('a label that nobody gave leads nowhere, and a passage that was deleted since says so', async () => {
  const { stage, documentId } = await knowing()
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'What is the weather?')
  await answers(page).getByText('I do not know [k77].').waitFor()
  await sayAndHear(page, 'leave')
  const session = await sessionOf(page)
  expect((await ask(stage.url, 'DELETE', `/api/knowledge/${documentId}`)).status).toBe(204)
  await page.goto(new URL('/#/', stage.url).href)
  await page.reload()
  await page.goto(new URL(`/#/s/${session}`, stage.url).href)
  await button(page, 'Source k1').click()
  await sources(page).getByText('This passage was deleted after the answer was given.').waitFor()
  expect(await page.innerText('body')).not.toContain('Everybody has 28 days')
})
