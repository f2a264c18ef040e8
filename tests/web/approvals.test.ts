import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { eventually } from './support/eventually.ts'
import { askFor, button, call, composer, endOf, say, sayAndHear, sessionOf, sidebar } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const write = (path: string) => ({ name: 'write_file', args: { path, content: `written to ${path}` } })
const script = {
  scenarios: [{ when: 'write (one|two|three)', turns: [{ calls: [write('one.txt')] }, { text: 'Done with it.' }] }],
  otherwise: { text: 'Well.' },
}

test('what is approved is done, and it says exactly what before', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await say(page, 'write one')
  const ask = askFor(page, 'write_file')
  await ask.waitFor()
  expect(await ask.innerText()).toContain('one.txt')
  expect(await ask.innerText()).toContain('written to one.txt')
  // Whoever looks elsewhere sees that something waits.
  await sidebar(page).getByRole('button', { name: 'Waiting for you' }).waitFor()
  await eventually(() => page.title()).toMatch(/^\(1\)/)
  await button(ask, 'Approve').click()
  await endOf(page, 'answered').waitFor()
  expect(readFileSync(join(stage.home, 'workspace/one.txt'), 'utf8')).toBe('written to one.txt')
  await eventually(() => page.title()).not.toMatch(/^\(/)
})

test('what is denied is not done, and the reason is stored', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await say(page, 'write one')
  const ask = askFor(page, 'write_file')
  await ask.getByRole('textbox', { name: 'Reason for a denial' }).fill('not today')
  await button(ask, 'Deny').click()
  await endOf(page, 'answered').waitFor()
  await call(page, 'write_file').getByText('denied').waitFor()
  expect(existsSync(join(stage.home, 'workspace/one.txt'))).toBe(false)
  const events = await stage.events(await sessionOf(page))
  expect(events.find(({ type }) => type === 'approval.decided')?.data).toMatchObject({
    decision: 'deny',
    reason: 'not today',
  })
})

verifies('ORC-8', 'an approval for the session is not asked for again, and only there', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url, { hasTouch: true, isMobile: true })
  await say(page, 'write one')
  expect(await askFor(page, 'write_file').innerText()).toContain(
    'covers every write_file of this target, whatever content',
  )
  await button(askFor(page, 'write_file'), 'For this conversation').click()
  await endOf(page, 'answered').waitFor()
  await sayAndHear(page, 'write two')
  expect(await call(page, 'write_file').allInnerTexts()).toEqual([
    expect.stringContaining('ok'),
    expect.stringContaining('ok'),
  ])
  await page.getByRole('link', { name: 'New conversation' }).click()
  await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
  await say(page, 'write three')
  await askFor(page, 'write_file').waitFor()
})

test('Enter never approves, wherever it is pressed', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await say(page, 'write one')
  const ask = askFor(page, 'write_file')
  await ask.waitFor()
  await composer(page).press('Enter')
  await ask.focus()
  await ask.press('Enter')
  await button(ask, 'Approve').focus()
  await button(ask, 'Approve').press('Enter')
  await ask.getByRole('textbox').press('Enter')
  // A letter typed into a field is a letter.
  await ask.getByRole('textbox').press('a')
  const waiting = await stage.get('/api/approvals?status=pending')
  expect(waiting.items).toHaveLength(1)
  expect(existsSync(join(stage.home, 'workspace/one.txt'))).toBe(false)
  await ask.focus()
  await ask.press('d')
  await endOf(page, 'answered').waitFor()
  expect(existsSync(join(stage.home, 'workspace/one.txt'))).toBe(false)
})
