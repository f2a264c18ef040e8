import { expect, test } from 'vitest'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { button, choose, composer, inspector, messages, sayAndHear, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const script = { otherwise: { text: 'Yes.' } }
const opener = /^How the model answers/

test.each([1280, 390])('how the model answers is chosen for a conversation, %i pixels', async (width) => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url, { viewport: { width, height: 780 } })
  const dialog = page.getByRole('dialog', { name: 'How the model answers' })
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: opener }).click()
    await dialog.getByRole('spinbutton', { name: /^Longest answer/ }).waitFor()
  }
  // Before it begins, and it begins so.
  await open()
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('combobox', { name: 'How much it thinks' }).selectOption('low')
  await dialog.getByRole('spinbutton', { name: /^Temperature/ }).fill('0.2')
  await button(dialog, 'Save').click()
  await button(page, 'How the model answers: effort low, temperature 0.2').waitFor()
  await sayAndHear(page, 'hello')
  const session = `/api/sessions/${await sessionOf(page)}`
  expect(await stage.get(session)).toMatchObject({ effort: 'low', temperature: 0.2 })

  // Later, with the keyboard; what was chosen stands there.
  await page.getByRole('button', { name: opener }).focus()
  await page.keyboard.press('Enter')
  const all = dialog.getByRole('checkbox', { name: 'All tools that I may use' })
  await all.waitFor()
  expect(await dialog.getByRole('combobox').inputValue()).toBe('low')
  await dialog.getByRole('spinbutton', { name: /^Longest answer/ }).fill('300')
  await all.uncheck()
  expect(await barriers(page)).toEqual([])
  for (const one of await dialog.getByRole('group', { name: 'Only these tools' }).getByRole('checkbox').all())
    await one.uncheck()
  await dialog.getByRole('checkbox', { name: 'calculator' }).check()
  await page.keyboard.press('Enter')
  await eventually(() => dialog.count()).toBe(0)
  expect(await page.getByRole('button', { name: opener }).evaluate((it) => it === document.activeElement)).toBe(true)
  await messages(page)
    .getByText('From here on: effort low, temperature 0.2, at most 300 tokens, only calculator')
    .waitFor()
  expect(await stage.get(session)).toMatchObject({ maxOutput: 300, tools: ['calculator'] })

  await open()
  await button(dialog, 'As usual').click()
  await messages(page).getByText('From here on: answers as usual').waitFor()
  await button(page, 'How the model answers').waitFor()
  await composer(page).waitFor()
})

test('an answer that had to be JSON can be read', async () => {
  const stage = await openStage({ script: { otherwise: { text: '{"city":"Rome","people":2800000}' } } })
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'hello')
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  await stage.post(`/api/sessions/${await sessionOf(page)}/messages?wait=1`, { content: 'Rome?', output: { schema } })
  const answer = messages(page).getByRole('group', { name: 'The answer as JSON' })
  await answer.waitFor()
  expect(await answer.innerText()).toBe('{\n  "city": "Rome",\n  "people": 2800000\n}')
  expect(await answer.count()).toBe(1)
  await button(page, 'How this came about').click()
  await inspector(page).getByText('as JSON', { exact: true }).waitFor()
})

test('only what the model can do is offered', async () => {
  const plain = { provider: 'deepseek', model: 'llama', tools: false, reasoning: false, takesTemperature: false }
  const stage = await openStage({ env: { SEGNO_MODELS: JSON.stringify({ plain }), DEEPSEEK_API_KEY: 'd' } })
  const { page } = await visit(stage.url)
  await choose(page, /^Model:/, 'plain')
  await page.getByRole('button', { name: opener }).click()
  const dialog = page.getByRole('dialog', { name: 'How the model answers' })
  await dialog.getByText('plain does not think before it answers, takes no temperature, has no tools.').waitFor()
  expect(await dialog.locator('select, input').count()).toBe(1)
  await dialog.getByRole('spinbutton', { name: /^Longest answer/ }).fill('300')
  await button(dialog, 'Save').click()
  await button(page, 'How the model answers: at most 300 tokens').waitFor()
})
