import { expect, test } from 'vitest'
import { barriers } from './support/barriers.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const rates = { input: 1_000_000, output: 5_000_000, cachedRead: 100_000, cachedWrite: 1_250_000 }
const steps = [{ ...rates, above: 200_000, input: 2_000_000 }]
const can = { tools: false, reasoning: true, takesTemperature: false, structuredOutput: true, files: 'pictures' }
const house = { provider: 'deepseek', model: 'llama', ...can, prices: { ...rates, steps } }

test.each([1280, 390])('what a model can do and all its prices are there to read, %i pixels', async (width) => {
  const stage = await openStage({ env: { SEGNO_MODELS: JSON.stringify({ house }) } })
  const { page } = await visit(stage.url, { at: '#/operator/models', viewport: { width, height: 780 } })
  const row = page.getByRole('row').filter({ hasText: 'deepseek · llama' })
  await row.getByText('DEEPSEEK_API_KEY is not set').waitFor()
  await row.getByRole('button').click()
  await page
    .getByText('Can: call several at once, think before it answers, be held to a JSON schema, be shown pictures.')
    .waitFor()
  await page.getByText('Cannot: use tools, take a temperature.').waitFor()
  expect(
    await page.getByRole('list', { name: 'Prices of a million tokens' }).getByRole('listitem').allInnerTexts(),
  ).toEqual([
    'A million tokens: $1.00 in, $0.10 where the cache is read, $1.25 where it is written, $5.00 out',
    'With input above 200 k: $2.00 in, $0.10 where the cache is read, $1.25 where it is written, $5.00 out',
  ])
  expect(await barriers(page)).toEqual([])
})
