import { expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { UNREACHABLE } from './support/guard.ts'
import { composer, endOf, sayAndHear, say, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { shownTalk } from './support/truth.ts'
import { visit } from './support/visit.ts'

const script = { otherwise: { text: 'You said {{message}}.' } }

test('what is written while the server cannot be reached is kept, and sent once when it is back', async () => {
  const stage = await openStage({ script })
  const { page, guard } = await visit(stage.url)
  await sayAndHear(page, 'one')
  const session = await sessionOf(page)
  guard.expect(UNREACHABLE)
  await stage.kill()
  await say(page, 'two')
  await page
    .getByText(/will be sent when/)
    .first()
    .waitFor()
  await composer(page).fill('half a thought')
  await stage.revive()
  await endOf(page, 'answered').nth(1).waitFor()
  await eventually(() => shownTalk(page)).toEqual({
    said: ['one', 'two'],
    answered: ['You said one.', 'You said two.'],
  })
  expect(await composer(page).inputValue()).toBe('half a thought')
  const messages = (await stage.events(session)).filter(({ type }) => type === 'message.user')
  expect(messages).toHaveLength(2)
  // Not by a reload either.
  await page.reload()
  await eventually(() => composer(page).inputValue()).toBe('half a thought')
})

test('a message that was not sent survives a reload and is sent once', async () => {
  const stage = await openStage({ script })
  const { page, guard } = await visit(stage.url)
  await sayAndHear(page, 'one')
  const session = await sessionOf(page)
  // The message arrives, the answer about it does not: the worst moment to lose the connection.
  guard.expect(UNREACHABLE)
  let isCut = true
  await page.route('**/api/sessions/*/messages', async (route) => {
    if (!isCut || route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    return route.abort('connectionreset')
  })
  await say(page, 'two')
  await eventually(async () => (await stage.events(session)).filter(({ type }) => type === 'round.ended').length).toBe(
    2,
  )
  await page.reload()
  isCut = false
  await endOf(page, 'answered').nth(1).waitFor()
  await eventually(() => page.getByText(/will be sent when|sending/).count()).toBe(0)
  const messages = (await stage.events(session)).filter(({ type }) => type === 'message.user')
  expect(messages).toHaveLength(2)
  await eventually(() => shownTalk(page)).toEqual({
    said: ['one', 'two'],
    answered: ['You said one.', 'You said two.'],
  })
})
