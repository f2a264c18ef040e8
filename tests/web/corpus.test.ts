import { expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { hostileHome } from './support/hostile-home.ts'
import { go, lookOver } from './support/look-over.ts'
import { inspector, messages, sidebar } from './support/person.ts'
import { unfold } from './support/unfold.ts'
import { visit } from './support/visit.ts'

test('no text of anybody does anything on the page but stand there to be read', async () => {
  const { stage, sessions, taken, changeTools } = await hostileHome()
  const { page } = await visit(stage.url)
  await page.evaluate(() =>
    localStorage.setItem('segno.preferences', JSON.stringify({ outputs: true, inspector: true })),
  )
  await page.reload()
  const { look, signs, faults } = lookOver(page)
  const shown = (field: string): number => [...signs].filter((sign) => sign.startsWith(`§${field}-`)).length

  await sidebar(page).getByRole('link').nth(5).waitFor()
  for (let i = 0; i < 100 && shown('title') < (taken.get('title') ?? 0); i++) {
    await sidebar(page)
      .getByRole('button', { name: 'Show older ones' })
      .click({ timeout: 500 })
      .catch(() => {})
    await look()
  }
  await sidebar(page)
    .getByRole('button', { name: /^Waiting for you/ })
    .click()
  await look()

  for (const [at, session] of sessions.entries()) {
    await go(page, `/s/${session}`)
    await messages(page)
      .getByRole('button', { name: /^answered/ })
      .last()
      .waitFor()
    await unfold(page, '[role=log]')
    await look()
    // What the inspector shows of one conversation it shows of all.
    for (const tab of at < 2 ? ['Round', 'Prompt', 'Usage', 'Events', 'Forks'] : []) {
      await inspector(page).getByRole('tab', { name: tab }).click()
      await unfold(page, '[role=tabpanel]')
      await look()
    }
  }
  changeTools()
  const fields: Readonly<Record<string, string>> = { approvals: '§content-', tools: '§description-', models: '§model-' }
  for (const tab of ['overview', 'rounds', 'approvals', 'unknown', 'tools', 'models', 'audit']) {
    await go(page, `/operator/${tab}`)
    const main = page.getByRole('main')
    await main.getByRole('link', { name: /Audit/ }).waitFor()
    await eventually(() => main.textContent()).toContain(fields[tab] ?? '')
    await unfold(page, 'main')
    await look()
  }
  expect(Object.fromEntries(faults)).toEqual({})
  expect(Object.fromEntries([...taken.keys()].map((field) => [field, shown(field)]))).toEqual(Object.fromEntries(taken))
  expect(Math.min(...taken.values())).toBeGreaterThan(100)
})
