import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { eventually } from './support/eventually.ts'
import { UNREACHABLE } from './support/guard.ts'
import { endOf, messages, say, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { shownTalk, storedTalk } from './support/truth.ts'
import { visit } from './support/visit.ts'

const NUMBERS = Array.from({ length: 150 }, (_, i) => `w${i}`).join(' ')
const script = {
  scenarios: [{ when: '^count', turns: [{ text: NUMBERS, delayMs: 15, deltaChars: 8 }] }],
  otherwise: { text: 'Yes.' },
}

verifies(
  ['REL-1', 'GOV-17'],
  'a server killed in the middle of an answer and started again: the page recovers without a reload and shows what is stored',
  async () => {
    const stage = await openStage({ script })
    const { page, guard } = await visit(stage.url)
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await say(page, 'count')
    await messages(page).getByText('w25 ').waitFor()
    guard.expect(UNREACHABLE)
    await stage.kill()
    await page
      .getByText(/Reconnecting|cannot be reached/)
      .first()
      .waitFor()
    // What was there to read is still there.
    expect((await shownTalk(page)).answered[0]).toMatch(/^w0 .*w25\b/)
    await stage.revive()
    await endOf(page, 'answered').waitFor()
    const session = await sessionOf(page)
    const stored = await storedTalk(stage, session)
    expect(stored.answered).toEqual([NUMBERS])
    await eventually(() => shownTalk(page)).toEqual(stored)
    await eventually(() => page.getByText(/Reconnecting|cannot be reached/).count()).toBe(0)
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
    // And it is a conversation that goes on.
    await say(page, 'still there?')
    await eventually(() => shownTalk(page)).toEqual({ said: ['count', 'still there?'], answered: [NUMBERS, 'Yes.'] })
  },
)
