import { expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { askFor, button, endOf, messages, say, sayAndHear, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { shownTalk, storedTalk } from './support/truth.ts'
import { visit } from './support/visit.ts'

const NUMBERS = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')
const script = {
  scenarios: [
    { when: '^count', turns: [{ text: NUMBERS, delayMs: 10, deltaChars: 8 }] },
    {
      when: '^write',
      turns: [{ calls: [{ name: 'write_file', args: { path: 'a.txt', content: 'a' } }] }, { text: 'Done with it.' }],
    },
  ],
  otherwise: { text: 'Yes.' },
}

test('two tabs on one conversation agree, also about a decision made in one of them', async () => {
  const stage = await openStage({ script })
  const { page: one, tab } = await visit(stage.url)
  await sayAndHear(one, 'hello')
  const session = await sessionOf(one)
  const two = await tab(`#/s/${session}`)
  await endOf(two, 'answered').waitFor()

  await say(one, 'count')
  for (const page of [one, two]) await messages(page).getByText('w20 ').waitFor()
  // A tab that comes in the middle has everything so far.
  const three = await tab(`#/s/${session}`)
  await messages(three).getByText('w20 ').waitFor()
  const stored = { said: ['hello', 'count'], answered: ['Yes.', NUMBERS] }
  for (const page of [one, two, three]) await eventually(() => shownTalk(page)).toEqual(stored)
  await three.close()

  await say(two, 'write')
  await askFor(one, 'write_file').waitFor()
  await askFor(two, 'write_file').waitFor()
  await button(askFor(one, 'write_file'), 'Approve').click()
  await eventually(() => askFor(two, 'write_file').count()).toBe(0)
  for (const page of [one, two]) await endOf(page, 'answered').nth(2).waitFor()
  const truth = await storedTalk(stage, session)
  for (const page of [one, two]) await eventually(() => shownTalk(page)).toEqual(truth)

  await stage.post(`/api/sessions/${session}/messages`, { content: 'from elsewhere' })
  for (const page of [one, two]) await endOf(page, 'answered').nth(3).waitFor()
  expect(await shownTalk(one)).toEqual(await shownTalk(two))
})
