import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { button, inspector, sayAndHear } from './support/person.ts'
import { openRecorded, PLAY } from './support/recorded.ts'
import { visit } from './support/visit.ts'

const prices = { input: 1_000_000, output: 1_000_000, cachedRead: 100_000, cachedWrite: 1_250_000 }
const sonnet = { provider: 'anthropic', model: 'claude-sonnet-5-5', prices }

verifies('GOV-22', 'the inspector tells what the cache gave and saved, of a turn and of its round', async () => {
  const env = { SEGNO_MODELS: JSON.stringify({ sonnet }), SEGNO_MODEL: 'sonnet' }
  const stage = await openRecorded('anthropic-cached-usage', { env })
  const { page } = await visit(stage.url)
  await sayAndHear(page, PLAY)
  await button(page, 'How this came about').click()
  const fact = (at: number): Promise<string> =>
    inspector(page).locator('dt', { hasText: 'Cache' }).nth(at).locator('+ dd').innerText()
  // Reading cost 12,780 micro-dollars less than without a cache, writing 470 more.
  expect(await fact(0)).toBe('14.2 k read · 1880 written · saved $0.0123')
  await inspector(page).getByRole('row').nth(1).getByRole('button').first().click()
  expect(await fact(1)).toBe('14.2 k read · 1880 written · saved $0.0123')
  await inspector(page).getByRole('tab', { name: 'Usage' }).click()
  await inspector(page).getByText('16.1 k tokens, 14.2 k of them from the cache, 1880 put there').first().waitFor()
})
