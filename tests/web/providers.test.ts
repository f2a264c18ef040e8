import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { STORED_KINDS } from '../../src/model/index.ts'
import { asUser } from './support/as-user.ts'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { REFUSED } from './support/guard.ts'
import { button } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const KEY = 'sk-house-1234567890'

/** A server that lists one model to whoever has the key. */
async function startHouse(): Promise<string> {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${KEY}`
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? { object: 'list', data: [{ id: 'llama' }] } : { error: { message: 'no' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a provider at its usual address keeps its key when something else is changed', async () => {
  const stage = await openStage({})
  const headers = { 'content-type': 'application/json' }
  await fetch(`${stage.url}/api/providers/anthropic`, { method: 'PUT', headers, body: JSON.stringify({ key: KEY }) })
  const { page } = await visit(stage.url, { at: '#/operator/providers' })
  await button(page, 'Change anthropic').click()
  await page.getByRole('checkbox', { name: /our own machines/ }).check()
  await button(page.getByRole('dialog'), 'Save').click()
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
  expect(await stage.get('/api/providers/anthropic')).toMatchObject({ hasKey: true, local: true })
})

test.each([1280, 390])('a provider is added, tested, changed and removed, %i pixels', async (width) => {
  const house = await startHouse()
  const stage = await openStage({ env: { SEGNO_PRIVATE_ORIGINS: house, DEEPSEEK_API_KEY: 'sk-of-a-setting' } })
  const { page, guard } = await visit(stage.url, { at: '#/operator/providers', viewport: { width, height: 780 } })
  const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await card('deepseek').getByText('Set by DEEPSEEK_API_KEY, so it can only be changed there.').waitFor()
  expect(await card('deepseek').getByRole('button').allInnerTexts()).toEqual(['Test'])

  await button(page, 'Add a provider').click()
  const dialog = page.getByRole('dialog')
  const kinds = await dialog.getByRole('combobox', { name: 'Kind' }).locator('option').all()
  const offered = await Promise.all(kinds.map((kind) => kind.getAttribute('value')))
  expect(new Set(offered)).toEqual(new Set(STORED_KINDS))
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('house')
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/v1')
  await dialog.getByRole('textbox', { name: 'Key' }).fill('sk-wrong')
  guard.expect(REFUSED)
  await button(dialog, 'Save').click()
  await dialog.getByRole('alert').getByText('SEGNO_PRIVATE_ORIGINS').waitFor()
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`${house}/v1`)
  await button(dialog, 'Save').click()
  await card('house').getByText('has a key').waitFor()

  await button(page, 'Test house').click()
  await card('house').getByRole('status').getByText(/key/).waitFor()
  await button(page, 'Change house').click()
  // Nobody can read a key again, not even who wrote it.
  expect(await dialog.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('')
  await dialog.getByRole('textbox', { name: 'Key' }).fill(KEY)
  await page.keyboard.press('Enter')
  await eventually(() => dialog.count()).toBe(0)
  await button(page, 'Test house').click()
  await card('house').getByRole('status').locator('.ok').waitFor()
  expect(await barriers(page)).toEqual([])
  expect(await page.content()).not.toMatch(/sk-(?:house|wrong|of-a-setting)/)

  await button(page, 'Remove house').click()
  await button(dialog, 'Remove it').click()
  await eventually(() => card('house').count()).toBe(0)
  expect((await stage.get('/api/providers')).items).toMatchObject([{ name: 'deepseek' }])
})

test('who does not run Segno sees no providers', async () => {
  const stage = await openStage()
  const { page } = await visit(stage.url, { ...(await asUser(stage, 'ada', 'admin')), at: '#/operator/providers' })
  await page.getByText('This needs the permission operator').waitFor()
  expect(await button(page, 'Add a provider').count()).toBe(0)
})
