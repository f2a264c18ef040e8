import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { askFor, composer, endOf, messages, said, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const NUMBERS = Array.from({ length: 400 }, (_, i) => `w${i}`).join(' ')
const script = {
  scenarios: [
    { when: '^count', turns: [{ text: NUMBERS, delayMs: 20, deltaChars: 8 }] },
    {
      when: '^write',
      turns: [{ calls: [{ name: 'write_file', args: { path: 'a.txt', content: 'a' } }] }, { text: 'Done with it.' }],
    },
  ],
  otherwise: { text: 'Yes.' },
}

/** Presses Tab until something is focused; gives up after a while. */
async function tabTo(page: Page, isFocused: () => Promise<boolean>, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 60; i++) {
    if (await isFocused()) return
    await page.keyboard.press(key)
  }
  throw new Error('Tab does not reach it.')
}

const isIn = (page: Page, role: string, name: RegExp) => async (): Promise<boolean> =>
  page.evaluate(
    ([wanted, pattern]) => {
      const now = document.activeElement
      const label = now?.getAttribute('aria-label') ?? now?.textContent ?? ''
      const is = now?.getAttribute('role') ?? now?.tagName.toLowerCase()
      return is === wanted && new RegExp(pattern ?? '').test(label)
    },
    [role, name.source],
  )

test('everything that matters is done without a mouse', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await composer(page).waitFor()
  // Who opens the page can type at once.
  await page.keyboard.type('hello')
  await page.keyboard.press('Enter')
  await endOf(page, 'answered').waitFor()
  const first = await sessionOf(page)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('New conversation')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
  await tabTo(page, isIn(page, 'textarea', /Message/))
  await page.keyboard.type('write it')
  await page.keyboard.press('Enter')
  await askFor(page, 'write_file').waitFor()
  await tabTo(page, isIn(page, 'group', /Approval of write_file/), 'Shift+Tab')
  await page.keyboard.press('a')
  await endOf(page, 'answered').waitFor()
  expect(existsSync(join(stage.home, 'workspace/a.txt'))).toBe(true)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('hello')
  await page.getByRole('option', { name: /hello/ }).first().waitFor()
  await page.keyboard.press('Enter')
  await eventually(() => sessionOf(page)).toBe(first)
  // The address is new before the conversation is drawn: until then what is typed goes where it went before.
  await said(page).getByText('hello').waitFor()
  await tabTo(page, isIn(page, 'textarea', /Message/))
  await page.keyboard.type('count')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('please')
  expect(await composer(page).inputValue()).toBe('count\nplease')
  await page.keyboard.press('Enter')
  await messages(page).getByText('w12 ').waitFor()
  await page.keyboard.press('Escape')
  await endOf(page, 'cancelled').waitFor()
})
