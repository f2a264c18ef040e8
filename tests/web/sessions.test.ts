import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { button, choose, messages, sayAndHear, sessionOf, sidebar } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const script = { otherwise: { text: 'You said {{message}}.' } }
const titled = (page: Parameters<typeof sidebar>[0], title: string) => sidebar(page).getByRole('link', { name: title })

test('conversations are named, found, put away, brought back, exported and deleted', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'the price of tea')
  const id = await sessionOf(page)
  await titled(page, 'the price of tea').waitFor()

  await choose(page, 'Conversation menu', 'Rename')
  const field = page.getByRole('textbox', { name: 'Title of the conversation' })
  await field.fill('Ärger mit Tee')
  await field.press('Enter')
  await titled(page, 'Ärger mit Tee').waitFor()
  expect(await stage.get(`/api/sessions/${id}`)).toMatchObject({ title: 'Ärger mit Tee' })

  await stage.post('/api/sessions', { title: 'Coffee' })
  await titled(page, 'Coffee').waitFor()
  const search = page.getByRole('searchbox', { name: 'Search conversations' })
  await search.fill('ärger')
  await eventually(() => titled(page, 'Coffee').count()).toBe(0)
  expect(await titled(page, 'Ärger mit Tee').count()).toBe(1)
  await search.fill('')
  await titled(page, 'Coffee').waitFor()

  const download = page.waitForEvent('download')
  await choose(page, 'Conversation menu', 'Export as Markdown')
  const file = await download
  expect(file.suggestedFilename()).toMatch(/\.md$/)
  expect(readFileSync(await file.path(), 'utf8')).toContain('You said the price of tea.')

  await choose(page, 'Conversation menu', 'Archive')
  await eventually(() => titled(page, 'Ärger mit Tee').count()).toBe(0)
  await button(sidebar(page), 'Archived').click()
  await titled(page, 'Ärger mit Tee').waitFor()
  await choose(page, 'Conversation menu', 'Bring back')
  await button(sidebar(page), 'Archived').click()
  await titled(page, 'Ärger mit Tee').waitFor()

  await choose(page, 'Conversation menu', 'Delete…')
  const dialog = page.getByRole('dialog')
  await button(dialog, 'Keep it').click()
  expect(await messages(page).count()).toBe(1)
  await choose(page, 'Conversation menu', 'Delete…')
  await dialog.getByRole('button', { name: /^Delete/ }).click()
  await eventually(() => titled(page, 'Ärger mit Tee').count()).toBe(0)
  await page.waitForURL(/#\/$/)
  expect((await stage.get('/api/sessions')).items?.map((item) => (item as unknown as { title: string }).title)).toEqual(
    ['Coffee'],
  )
})

test('a conversation that is used again moves up, one that is renamed stays where it is', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'the price of tea')
  const id = await sessionOf(page)
  const { id: other } = await stage.post('/api/sessions', { title: 'Coffee' })
  await stage.post('/api/sessions', { title: 'Milk' })
  const shown = () => sidebar(page).locator('.side-title').allTextContents()
  await eventually(shown).toEqual(['Milk', 'Coffee', 'the price of tea'])

  await choose(page, 'Conversation menu', 'Rename')
  const field = page.getByRole('textbox', { name: 'Title of the conversation' })
  await field.fill('Tea')
  await field.press('Enter')
  await eventually(shown).toEqual(['Milk', 'Coffee', 'Tea'])
  await sayAndHear(page, 'and of sugar')
  await eventually(shown).toEqual(['Tea', 'Milk', 'Coffee'])
  await stage.post(`/api/sessions/${other}/messages`, { content: 'hello' })
  await eventually(shown).toEqual(['Coffee', 'Tea', 'Milk'])
  expect(await sessionOf(page)).toBe(id)
})
