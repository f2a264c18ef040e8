import { expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { answers, button, composer, endOf, messages, say, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { shownTalk, storedTalk } from './support/truth.ts'
import { visit } from './support/visit.ts'

const NUMBERS = Array.from({ length: 400 }, (_, i) => `w${i}`).join(' ')
const script = {
  scenarios: [{ when: '^count', turns: [{ text: NUMBERS, delayMs: 20, deltaChars: 8 }] }],
  otherwise: { text: 'You said {{message}}.' },
}

test('an answer that is stopped stays as far as it came, marked as stopped', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await say(page, 'count')
  await messages(page).getByText('w12 ').waitFor()
  await page.keyboard.press('Escape')
  await endOf(page, 'cancelled').waitFor()
  await messages(page).getByText('stopped here').waitFor()
  expect(await button(page, 'Stop').count()).toBe(0)
  const session = await sessionOf(page)
  const stored = await storedTalk(stage, session)
  expect(stored.answered[0]).toMatch(/^w0 .*w12\b/)
  expect(await shownTalk(page)).toEqual(stored)
})

test('a message sent while an answer runs waits for its turn', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await say(page, 'count')
  await messages(page).getByText('w12 ').waitFor()
  await say(page, 'and then')
  await page.getByText('waits for its turn').waitFor()
  const isUser = ({ type }: { type: string }): boolean => type === 'message.user'
  expect((await stage.events(await sessionOf(page))).filter(isUser)).toHaveLength(1)
  await button(page, 'Stop').click()
  await answers(page).nth(1).getByText('You said and then.').waitFor()
  await endOf(page, 'cancelled').waitFor()
  await eventually(() => page.getByText('waits for its turn').count()).toBe(0)
  expect(await shownTalk(page)).toEqual(await storedTalk(stage, await sessionOf(page)))
})

test('a message that interrupts ends the running answer and is answered', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await say(page, 'count')
  await messages(page).getByText('w12 ').waitFor()
  await composer(page).fill('hold on')
  await button(page, 'Interrupt').click()
  await answers(page).nth(1).getByText('You said hold on.').waitFor()
  await endOf(page, 'answered').waitFor()
  const session = await sessionOf(page)
  expect((await stage.events(session)).filter(({ type }) => type === 'message.user')).toHaveLength(2)
  expect(await shownTalk(page)).toEqual(await storedTalk(stage, session))
})
