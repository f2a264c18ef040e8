import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { askFor, button, composer, endOf, messages, said, say, sayAndHear, sessionOf } from './support/person.ts'
import { newHome, openStage, type Stage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const CODE = Array.from({ length: 60 }, (_, at) => `  line(${at + 1}) // "quoted"`).join('\n')
const DANGEROUS = 'cd . && chmod -R 777 ./none'
const write = (path: string, content = 'new') => ({ name: 'write_file', args: { path, content } })
const fetchIt = { name: 'web_fetch', args: { url: 'https://far.example/a?b=c' } }
const shell = { name: 'bash', args: { command: DANGEROUS } }
const script = {
  scenarios: [
    {
      when: '^all kinds',
      turns: [
        { delayMs: 100, calls: [write('code.ts', CODE), write('notes.txt', 'one\nTWO\n'), shell] },
        { text: 'Done.' },
      ],
    },
    { when: '^several', turns: [{ calls: [write('a.txt'), write('b.txt'), shell] }, { text: 'Done.' }] },
    { when: '^curious', turns: [{ calls: [{ name: 'curious', args: {} }] }, { text: 'Done.' }] },
    { when: '^table', turns: [{ calls: [fetchIt] }, { text: 'Done.' }] },
    ...['one', 'two', 'late'].map((name) => ({
      when: `^${name}`,
      turns: [{ calls: [write(`${name}.txt`)] }, { text: 'Done.' }],
    })),
  ],
  otherwise: { text: 'Yes.' },
}

async function open(): Promise<Stage> {
  const home = newHome()
  mkdirSync(join(home, 'workspace'))
  writeFileSync(join(home, 'workspace/notes.txt'), 'one\ntwo\n')
  const stage = await openStage({ script, home })
  // Where its sandbox did not pass its check at the start, one card would stay away without a word.
  expect((await stage.get('/api/tools')).items).toContainEqual(expect.objectContaining({ name: 'bash' }))
  return stage
}

const cards = (page: Page): Locator => page.locator('[data-ask]')
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const now = document.activeElement
    const at = [...document.querySelectorAll('[data-ask]')].indexOf(now as Element)
    return at < 0 ? (now?.getAttribute('aria-label') ?? now?.textContent ?? '') : `card ${at}`
  })
const pending = async (stage: Stage): Promise<number> =>
  (await stage.get('/api/approvals?status=pending')).items?.length ?? 0
const there = (stage: Stage, path: string): boolean => existsSync(join(stage.home, 'workspace', path))

const SCREENS = [
  { width: 1440, height: 900, scheme: 'light' },
  { width: 1440, height: 900, scheme: 'dark' },
  { width: 390, height: 780, scheme: 'light' },
  { width: 390, height: 780, scheme: 'dark' },
] as const

test.each(SCREENS)(
  'three calls are read and decided with the keyboard alone, $width pixels, $scheme',
  async ({ width, height, scheme }) => {
    const stage = await open()
    const { page } = await visit(stage.url, {
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    })
    await composer(page).waitFor()
    await page.keyboard.type('all kinds')
    await page.keyboard.press('Enter')
    await said(page).getByText('all kinds').waitFor()
    await page.keyboard.type('half a sent')
    await cards(page).nth(2).waitFor()
    // Whoever types goes on typing, and hears what came.
    await page.keyboard.type('ence')
    expect(await composer(page).inputValue()).toBe('half a sentence')
    await eventually(() => page.locator('[aria-live=polite]').allInnerTexts()).toContain(
      '3 calls wait for you. F2 goes there.',
    )

    const code = page.getByRole('group', { name: 'Text of code.ts' })
    expect((await code.innerText()).split('\n').slice(0, 60)).toEqual(CODE.split('\n'))
    const changes = page.getByRole('group', { name: 'Changes to notes.txt' })
    expect(await changes.locator('.diff-line').allTextContents()).toEqual([
      '@@ -1,2 +1,2 @@',
      ' one',
      'removed: -two',
      'added: +TWO',
    ])
    const last = askFor(page, 'bash')
    expect(await last.locator('mark').allTextContents()).toEqual(['chmod -R 777'])
    await last.getByText('Dangerous', { exact: true }).waitFor()
    expect(await last.getByRole('list', { name: 'What is dangerous in it' }).innerText()).toContain(
      'opens files to everybody; changes whole trees',
    )
    expect(await barriers(page)).toEqual([])

    await page.keyboard.press('F2')
    expect(await focused(page)).toBe('card 0')
    await page.keyboard.press('a')
    await eventually(() => there(stage, 'code.ts')).toBe(true)
    await eventually(() => cards(page).count()).toBe(2)
    await eventually(() => focused(page)).toBe('card 0')
    expect(await cards(page).first().innerText()).toContain('notes.txt')
    await page.keyboard.press('d')
    await eventually(() => cards(page).count()).toBe(1)
    await eventually(() => focused(page)).toBe('card 0')
    // What is dangerous takes more than a letter.
    await page.keyboard.press('a')
    expect(await focused(page)).toBe('Approve')
    expect(await pending(stage)).toBe(1)
    await page.keyboard.press('Enter')
    expect(await pending(stage)).toBe(1)
    await page.keyboard.press('Space')
    await endOf(page, 'answered').waitFor()
    await eventually(() => focused(page)).toBe('Message')
    expect(await composer(page).inputValue()).toBe('half a sentence')
    expect(readFileSync(join(stage.home, 'workspace/notes.txt'), 'utf8')).toBe('one\ntwo\n')
  },
)

test('a card comes although a request of the page was never answered', async () => {
  const stage = await open()
  const { page, guard } = await visit(stage.url)
  guard.expect(/net::ERR_/)
  await page.clock.install()
  await page.reload()
  await sayAndHear(page, 'hello')
  let isStuck = true
  const stuck = new Promise<void>((resolve) => {
    void page.route('**/api/approvals?status=pending*', async (route) => {
      if (!isStuck) return route.continue()
      resolve()
    })
  })
  await say(page, 'one')
  await stuck
  await messages(page).getByText('Reading what it wants to do…').waitFor()
  isStuck = false
  await page.clock.fastForward(31_000)
  await page.clock.fastForward(5000)
  await askFor(page, 'write_file').waitFor()
})

test('the exact arguments are one click away, and anything without a form of its own is a table', async () => {
  const stage = await open()
  const { page } = await visit(stage.url)
  await say(page, 'table')
  const card = askFor(page, 'web_fetch')
  await card.getByRole('rowheader', { name: 'url' }).waitFor()
  await card.getByRole('cell', { name: 'https://far.example/a?b=c' }).waitFor()
  expect(await card.getByRole('group', { name: 'Arguments of web_fetch' }).count()).toBe(0)
  await button(card, 'Exact arguments').click()
  const exact = await card.getByRole('group', { name: 'Arguments of web_fetch' }).innerText()
  expect(JSON.parse(exact)).toMatchObject(fetchIt.args)
  // Letters do nothing after a click into the card; F2 gives them to it.
  await card.click({ position: { x: 8, y: 8 } })
  await page.keyboard.press('d')
  expect(await pending(stage)).toBe(1)
  await page.keyboard.press('F2')
  await page.keyboard.press('d')
  await eventually(() => pending(stage)).toBe(0)
})

test('a card shows the same after the server was killed, whatever became of the file', async () => {
  const stage = await open()
  const { page, guard } = await visit(stage.url)
  guard.expect(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/)
  await say(page, 'all kinds')
  await cards(page).nth(2).waitFor()
  const texts = (): Promise<string[]> => cards(page).locator('.conv-box').allInnerTexts()
  const before = await texts()
  await stage.kill()
  writeFileSync(join(stage.home, 'workspace/notes.txt'), 'changed meanwhile\n')
  await stage.revive()
  await page.reload()
  await cards(page).nth(2).waitFor()
  expect(await texts()).toEqual(before)
})

test('all that is shown is approved at once, after one question, without what is dangerous', async () => {
  const stage = await open()
  const { page } = await visit(stage.url)
  await say(page, 'several')
  await button(page, 'Approve all 2 shown…').waitFor()
  for (let i = 0; i < 20 && (await focused(page)) !== 'Approve all 2 shown…'; i++)
    await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Approve these 2 calls?' })
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['write_file a.txt', 'write_file b.txt'])
  await dialog.getByText('1 of what waits has to be looked at by itself').waitFor()
  expect(await barriers(page)).toEqual([])
  await button(dialog, 'Approve these 2').focus()
  await page.keyboard.press('Enter')
  expect(await pending(stage)).toBe(3)
  await page.keyboard.press('Space')
  await eventually(() => [there(stage, 'a.txt'), there(stage, 'b.txt')]).toEqual([true, true])
  await eventually(() => focused(page)).toBe('card 0')
  expect(await askFor(page, 'bash').count()).toBe(1)
})

test('what comes after the list was opened is not approved with it', async () => {
  const stage = await open()
  const { page } = await visit(stage.url, { at: '#/operator/approvals' })
  const more = async (name: string): Promise<void> => {
    const { id } = await stage.post('/api/sessions')
    await stage.post(`/api/sessions/${id}/messages?wait=1`, { content: name })
  }
  await more('one')
  await more('two')
  await button(page, 'Approve all 2 shown…').click()
  await more('late')
  await eventually(() => cards(page).count()).toBe(3)
  await button(page, 'Approve these 2').click()
  await eventually(() => cards(page).count()).toBe(1)
  await eventually(() => [there(stage, 'one.txt'), there(stage, 'two.txt')]).toEqual([true, true])
  expect(there(stage, 'late.txt')).toBe(false)
  expect(await pending(stage)).toBe(1)
})

test('Escape never stops what waits for people, and stopping asks first', async () => {
  const stage = await open()
  const { page } = await visit(stage.url)
  await say(page, 'several')
  await cards(page).nth(2).waitFor()
  await composer(page).press('Escape')
  await page.keyboard.press('F2')
  const top = (selector: string): Promise<number> =>
    page.evaluate((one) => Math.round(document.querySelector(one)?.getBoundingClientRect().top ?? -1), selector)
  expect(await top('[data-ask]')).toBe((await top('.conv-scroll')) + 8)
  expect(await top('.conv-header')).toBe(0)
  await page.keyboard.press('Escape')
  await messages(page).focus()
  await page.keyboard.press('Escape')

  const asks = page.getByRole('dialog', { name: '3 calls wait for you' })
  await button(page, 'Stop').click()
  await asks.waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => asks.count()).toBe(0)
  await composer(page).fill('rather this')
  await button(page, 'Interrupt').click()
  await button(asks, 'Keep waiting').click()
  expect(await composer(page).inputValue()).toBe('rather this')
  expect(await pending(stage)).toBe(3)
  const events = await stage.events(await sessionOf(page))
  expect(events.filter(({ type }) => type === 'control.requested' || type === 'round.ended')).toEqual([])

  await page.keyboard.press('Control+k')
  await page.keyboard.type('Stop the round')
  await page.keyboard.press('Enter')
  await asks.waitFor()
  await button(asks, 'Stop').click()
  await endOf(page, 'cancelled').waitFor()
  expect(await pending(stage)).toBe(0)
  expect([there(stage, 'a.txt'), there(stage, 'b.txt')]).toEqual([false, false])

  await say(page, 'one')
  await cards(page).first().waitFor()
  await button(page, 'Stop').focus()
  await page.keyboard.press('Space')
  await button(page.getByRole('dialog'), 'Stop').press('Space')
  await endOf(page, 'cancelled').nth(1).waitFor()
  await eventually(() => focused(page)).toBe('Message')
})

test('F2 goes to what waits in another conversation', async () => {
  const stage = await open()
  const { page } = await visit(stage.url)
  await say(page, 'one')
  await askFor(page, 'write_file').waitFor()
  await page.getByRole('link', { name: 'New conversation' }).click()
  await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
  await composer(page).focus()
  await page.keyboard.press('F2')
  await eventually(() => focused(page)).toBe('card 0')
})

const CURIOUS = `export default {
  name: 'curious', description: 'Asks.', input: { type: 'object' }, effect: 'pure', own: true,
  run: (_, { ask }) => ask({ message: 'Who are you?', schema: { type: 'object', required: ['name'], properties: {
    name: { type: 'string' }, mail: { type: 'string', format: 'email' },
    ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => ['more' + at, { type: 'string' }])),
    some: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 } } } }),
}`

test('a field that is filled in wrongly gets the keyboard, however far away it is', async () => {
  const home = newHome()
  mkdirSync(join(home, 'tools'))
  writeFileSync(join(home, 'tools/curious.mjs'), CURIOUS)
  const stage = await openStage({ script, home })
  const { page } = await visit(stage.url)
  await say(page, 'curious')
  const answer = button(page, 'Answer')
  const isOn = (locator: Locator): Promise<boolean> => locator.evaluate((it) => it === document.activeElement)
  await answer.click()
  await eventually(() => isOn(page.getByLabel('name'))).toBe(true)
  await page.getByText('name is needed.').waitFor()
  await page.keyboard.type('Ada')
  await page.getByLabel('mail').fill('nowhere')
  await answer.click()
  await eventually(() => isOn(page.getByLabel('mail'))).toBe(true)
  await page.getByLabel('mail').fill('ada@example.org')
  await page.getByLabel('a', { exact: true }).check()
  await page.getByLabel('b', { exact: true }).check()
  await answer.click()
  await eventually(() => isOn(page.getByLabel('a', { exact: true }))).toBe(true)
  await page.getByLabel('a', { exact: true }).uncheck()
  await answer.click()
  await endOf(page, 'answered').waitFor()
  await eventually(() => focused(page)).toBe('Message')
})
