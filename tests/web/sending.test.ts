import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask } from '../server/support/ask.ts'
import { eventually } from './support/eventually.ts'
import { REFUSED } from './support/guard.ts'
import { button, composer, endOf, messages, say, sayAndHear, sessionOf } from './support/person.ts'
import { openStage, type Stage } from './support/stage.ts'
import { shownTalk, storedTalk } from './support/truth.ts'
import { visit } from './support/visit.ts'

const script = {
  scenarios: [{ when: '^fail', turns: [{ fault: { kind: 'error' as const, status: 400 } }] }],
  otherwise: { text: 'Yes.' },
}
const unsent = (page: Page) => page.getByRole('article', { name: 'You, on its way' })

const rounds = async (stage: Stage, session: string): Promise<{ mode: unknown }[]> =>
  (await stage.events(session))
    .filter(({ type }) => type === 'round.started')
    .map(({ data }) => ({ mode: data['mode'] }))

test('a message that was to be planned only is still planned only when it is edited, and makes one fork', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await button(page, 'Plan').click()
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
  await page.locator('input[type=file]').setInputFiles(file)
  await button(page, 'Remove a.txt').waitFor()
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('look')
  await button(page, 'Send').click()
  await endOf(page, 'answered').waitFor()
  const first = await sessionOf(page)
  await button(page, 'Plan').click()

  await composer(page).press('ArrowUp')
  const field = page.getByRole('textbox', { name: 'Edit your message' })
  await field.fill('look again')
  // What was typed in the box stays there while somebody looks elsewhere.
  await page.goto(new URL('/#/', stage.url).href)
  await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
  await page.goBack()
  expect(await field.inputValue()).toBe('look again')
  let fetched = (): void => {}
  const isFetched = new Promise<void>((resolve) => (fetched = resolve))
  await page.route('**/files/**', async (route) => {
    await isFetched
    await route.continue()
  })
  await field.press('Enter')
  await field.press('Enter')
  fetched()
  await eventually(() => sessionOf(page)).not.toBe(first)
  await endOf(page, 'answered').waitFor()
  expect(await rounds(stage, await sessionOf(page))).toEqual([{ mode: 'plan' }])
  expect((await stage.get('/api/sessions')).items).toHaveLength(2)
})

test('what one person wrote is neither shown to nor sent by the next who uses the browser', async () => {
  const stage = await openStage({ script })
  const keyOf = async (userId: string): Promise<{ id: string; key: string }> => {
    const { id = '', secret } = await stage.post('/api/keys', { name: userId, userId, role: 'user' })
    return { id, key: String(secret) }
  }
  const [ada, bob, adaAgain] = [await keyOf('ada'), await keyOf('bob'), await keyOf('ada')]
  const talks = async ({ key }: { key: string }): Promise<unknown> =>
    (await ask(stage.url, 'GET', '/api/sessions', undefined, { authorization: `Bearer ${key}` })).body.items?.length
  const { page, guard } = await visit(stage.url)
  await page.evaluate((key) => localStorage.setItem('segno.key', key), ada.key)
  await page.reload()
  await button(page, 'Take the tour').waitFor()
  guard.expect(REFUSED)
  // The key is revoked while the message is on its way: otherwise a list that is read may ask for a new key first.
  await page.route('**/api/sessions', async (route) => {
    if (route.request().method() === 'POST') await ask(stage.url, 'DELETE', `/api/keys/${ada.id}`)
    await route.continue()
  })

  const enter = async ({ key }: { key: string }): Promise<void> => {
    await page.getByLabel('Key', { exact: true }).fill(key)
    await Promise.all([page.waitForEvent('load'), button(page, 'Use this key').click()])
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
  }
  await say(page, 'a secret of ada')
  await unsent(page).getByText('kept, is tried again').waitFor()
  await page.unroute('**/api/sessions')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await composer(page).fill('half a secret')
  await page.reload()
  await page.getByRole('dialog').waitFor()
  await enter(bob)
  await button(page, 'Take the tour').waitFor()
  expect(await page.getByText('secret').count()).toBe(0)
  expect(await composer(page).inputValue()).toBe('')
  await sayAndHear(page, 'hello')
  expect(await talks(bob)).toBe(1)
  expect(await talks(adaAgain)).toBe(0)

  await page.evaluate((key) => localStorage.setItem('segno.key', key), adaAgain.key)
  await page.goto(new URL('/#/', stage.url).href)
  await page.reload()
  await endOf(page, 'answered').waitFor()
  await eventually(() => composer(page).inputValue()).toBe('half a secret')
  expect(await talks(adaAgain)).toBe(1)
})

test('two clicks on Retry send the message once', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await say(page, 'fail')
  await endOf(page, 'failed').waitFor()
  await button(page, 'Retry').dblclick()
  await endOf(page, 'failed').nth(1).waitFor()
  // The second click may be as late as this.
  await button(page, 'Retry').first().click({ force: true })
  await sayAndHear(page, 'enough')
  expect((await storedTalk(stage, await sessionOf(page))).said).toEqual(['fail', 'fail', 'enough'])
})

test('who goes on writing while a conversation is made goes on in that conversation', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  let make = (): void => {}
  const isTime = new Promise<void>((resolve) => (make = resolve))
  await page.route('**/api/sessions', async (route) => {
    if (route.request().method() === 'POST') await isTime
    await route.continue()
  })
  await say(page, 'alpha')
  await say(page, 'beta')
  await composer(page).press('g')
  const typing = composer(page).pressSequentially('amma and delta', { delay: 10 })
  make()
  await typing
  const session = await sessionOf(page)
  await endOf(page, 'answered').nth(1).waitFor()
  expect(await composer(page).inputValue()).toBe('gamma and delta')
  expect(await composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
  await eventually(() => shownTalk(page)).toEqual({ said: ['alpha', 'beta'], answered: ['Yes.', 'Yes.'] })
  expect((await stage.get('/api/sessions')).items?.map(({ id }) => id)).toEqual([session])
})

test('a server that wants to be left alone is, and meanwhile a message can be changed or discarded', async () => {
  const stage = await openStage({ script })
  const { page, guard } = await visit(stage.url)
  await sayAndHear(page, 'one')
  const session = await sessionOf(page)
  guard.expect(REFUSED)
  const tries: number[] = []
  await page.route('**/messages', async (route) => {
    tries.push(Date.now())
    const json = { code: 'RATE_LIMITED', detail: 'Too many requests.' }
    await route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json })
  })
  for (const text of ['two', 'three', 'four', 'five']) await say(page, text)
  await eventually(() => unsent(page).getByText('kept, is tried again').count()).toBe(4)
  expect(await unsent(page).getByText('Too many requests.').count()).toBe(4)
  await button(unsent(page).nth(0), 'Discard').click()
  await button(unsent(page).nth(0), 'Edit').click()
  await button(unsent(page).nth(0), 'Edit').click()
  await eventually(() => unsent(page).count()).toBe(1)
  // What was taken back is there at once, and stays.
  await page.reload()
  await eventually(() => composer(page).inputValue()).toBe('four\n\nthree')
  await eventually(() => tries.length).toBeGreaterThanOrEqual(3)
  const waits = tries.slice(1).map((at, i) => at - (tries[i] ?? 0))
  // One reload may ask at once.
  expect(waits.filter((ms) => ms < 900).length).toBeLessThanOrEqual(1)
  await page.unroute('**/messages')
  await messages(page).getByText('five').waitFor()
  await endOf(page, 'answered').nth(1).waitFor()
  expect((await storedTalk(stage, session)).said).toEqual(['one', 'five'])
})
