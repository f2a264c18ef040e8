import { expect, test } from 'vitest'
import { ask } from '../server/support/ask.ts'
import { eventually } from './support/eventually.ts'
import { REFUSED, UNREACHABLE } from './support/guard.ts'
import { askFor, button, composer, endOf, inspector, messages, say, sayAndHear, sessionOf } from './support/person.ts'
import { seedLongSession } from './support/seed.ts'
import { newHome, openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const script = {
  scenarios: [
    {
      when: '^write',
      turns: [{ calls: [{ name: 'write_file', args: { path: 'a.txt', content: 'a' } }] }, { text: 'Done.' }],
    },
    { when: '^slow', turns: [{ text: 'word '.repeat(600), delayMs: 30, deltaChars: 5 }] },
  ],
  otherwise: { text: 'Yes.' },
}

test('a part of the page that does not come leaves the rest as it is, and comes when it is tried again', async () => {
  const stage = await openStage({ script })
  const { page, guard } = await visit(stage.url)
  guard.expect(UNREACHABLE)
  guard.expect(/dynamically imported module/)
  await page.route(/assets\/later-/, (route) => route.abort('connectionrefused'))
  await page.reload()
  await sayAndHear(page, 'one')
  await button(page, 'How this came about').click()
  await page.getByRole('heading', { name: 'This part of the page could not be loaded' }).waitFor()
  await sayAndHear(page, 'two')
  await page.unroute(/assets\/later-/)
  await button(page, 'Try again').click()
  await inspector(page).getByRole('tab', { name: 'Round' }).waitFor()

  // What was fetched while there was nothing else to do is there without the server.
  await eventually(() => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))).toEqual(
    expect.arrayContaining([expect.stringMatching(/assets\/later-.*\.js/)]),
  )
  await stage.kill()
  await page.evaluate(() => void (location.hash = '#/operator/rounds'))
  await page.getByRole('heading', { name: 'Operator' }).waitFor()
})

test('a title that is being typed is not touched by what happens meanwhile, and the keyboard goes back to it', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'hello')
  const path = `/api/sessions/${await sessionOf(page)}/messages?wait=1`
  await button(page, 'hello').click()
  const field = page.getByRole('textbox', { name: 'Title of the conversation' })
  for (const [at, letter] of ['O', 'k'].entries()) {
    await page.keyboard.type(letter)
    await stage.post(path, { content: 'go on' })
    await endOf(page, 'answered')
      .nth(at + 1)
      .waitFor()
  }
  expect(await field.inputValue()).toBe('Ok')
  await page.keyboard.press('Enter')
  await button(page.getByRole('main'), 'Ok').waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Ok')
})

test('what is sent from far above in a long conversation is shown', async () => {
  const home = newHome()
  const { sessionId, first } = await seedLongSession(home, 600)
  const stage = await openStage({ script: { otherwise: { text: 'The newest answer.' } }, home })
  const { page } = await visit(stage.url, { at: `#/s/${sessionId}/3` })
  await messages(page).getByText(first, { exact: true }).waitFor()
  await say(page, 'one more')
  await endOf(page, 'answered').last().waitFor()
  const newest = messages(page).getByText('The newest answer.')
  await newest.waitFor()
  const below = async (): Promise<number> => {
    const [box, inner] = [await messages(page).boundingBox(), await newest.boundingBox()]
    return (inner?.y ?? NaN) + (inner?.height ?? NaN) - (box?.y ?? NaN) - (box?.height ?? NaN)
  }
  await eventually(below).toBeLessThan(0)
  await eventually(() => button(page, 'To the end').count()).toBe(0)
})

test('a conversation that is deleted elsewhere, and a key that is revoked, are told at once', async () => {
  const stage = await openStage({ script })
  const { page, guard } = await visit(stage.url)
  guard.expect(REFUSED)
  await sayAndHear(page, 'one')
  await ask(stage.url, 'DELETE', `/api/sessions/${await sessionOf(page)}`)
  await page.getByRole('heading', { name: 'There is no such conversation' }).waitFor()

  const made = await stage.post('/api/keys', { name: 'laptop', userId: 'ada', role: 'user' })
  await page.evaluate((key) => localStorage.setItem('segno.key', key), String(made['secret']))
  await page.goto(new URL('/#/', stage.url).href)
  await page.reload()
  await sayAndHear(page, 'two')
  await ask(stage.url, 'DELETE', `/api/keys/${made.id}`)
  await page.getByRole('dialog', { name: 'Segno asks for a key' }).waitFor()
  await page.keyboard.press('Escape')
  // What was said is still there to read, and the way back is beside it.
  await messages(page).getByText('two').waitFor()
  await button(page, 'Enter a key').click()
  await page.getByRole('dialog', { name: 'Segno asks for a key' }).waitFor()
})

test('an ask is answered by who means it, and the keyboard is not lost with it', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  const pending = async (): Promise<number> => (await stage.get('/api/approvals?status=pending')).items?.length ?? 0
  await say(page, 'write it')
  const card = askFor(page, 'write_file')
  await card.getByText('May Segno use').click()
  await page.keyboard.type('and another day')
  expect(await pending()).toBe(1)

  // Escape leaves the field for the reason, and does not stop what waits.
  await card.getByRole('textbox').fill('because')
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE')
  expect(await pending()).toBe(1)

  await button(card, 'Approve').focus()
  await page.keyboard.press('Space')
  await endOf(page, 'answered').waitFor()
  await eventually(() => card.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')

  await say(page, 'write it')
  await card.waitFor()
  const isFocused = (): Promise<boolean> => card.evaluate((one) => one === document.activeElement)
  for (let i = 0; i < 20 && !(await isFocused()); i++) await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('d')
  await endOf(page, 'answered').nth(1).waitFor()
  expect(await pending()).toBe(0)
})

test('on a phone Escape closes the sheet first, and only then stops the answer', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url, { viewport: { width: 390, height: 780 } })
  await say(page, 'slow')
  await messages(page).getByText('word word').waitFor()
  await button(page, 'Conversations').click()
  const sheet = page.getByRole('navigation', { name: 'Conversations' })
  await sheet.waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => sheet.count()).toBe(0)
  expect(await endOf(page, 'cancelled').count()).toBe(0)
  await composer(page).press('Escape')
  await endOf(page, 'cancelled').waitFor()
})
