import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { workReceiver, type WorkReceiver } from '../support/work-receiver.ts'
import { asUser } from './support/as-user.ts'
import { barriers } from './support/barriers.ts'
import { eventually } from './support/eventually.ts'
import { REFUSED } from './support/guard.ts'
import { answers, button, call, endOf, messages, say, sessionOf, sidebar } from './support/person.ts'
import { openStage, type Stage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const AT = '#/operator/workflows'
const main = (page: Page) => page.getByRole('main')
const view = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workflows' }).getByRole('link', { name, exact: true })
const row = (page: Page, name: string) => main(page).getByRole('row', { name })
const dialog = (page: Page) => page.getByRole('dialog')

/** A field of the form that is open, by its label. */
const field = (page: Page, label: string): Locator =>
  dialog(page).getByLabel(new RegExp(`^${label}( \\(optional\\))?$`))
const isFocused = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement)
/** What is said of a field, as somebody hears it who cannot see it, while it is wrong. */
const faultOf = (locator: Locator): Promise<string> =>
  locator.evaluate((element) =>
    element.getAttribute('aria-invalid') === 'true'
      ? (element.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent)
          .join(' ')
      : '',
  )

/** Of an input that needs no JSON to be filled in. */
const FLAT = {
  type: 'object',
  properties: {
    file: { type: 'string', title: 'File' },
    width: { type: 'integer', minimum: 1, default: 100 },
    how: { enum: ['fit', 'crop'] },
    keep: { type: 'boolean' },
  },
  required: ['file', 'width'],
}

const SCRIPT = {
  scenarios: [
    {
      when: '^smaller',
      turns: [{ calls: [{ name: 'workflow_later', args: { file: 'a.png' } }] }, { text: 'It went as it went.' }],
    },
  ],
  otherwise: { text: 'Yes.' },
}

async function opened(): Promise<{ stage: Stage; other: WorkReceiver }> {
  const other = await workReceiver()
  const env = { SEGNO_WORKFLOW_ORIGINS: other.origin, SEGNO_PUBLIC_URL: 'http://127.0.0.1:1' }
  return { stage: await openStage({ script: SCRIPT, env }), other }
}

const workflow = ({ origin }: WorkReceiver, name: string, more: object = {}): object => ({
  name,
  description: `Makes it smaller, ${name}`,
  engine: 'http',
  target: { url: `${origin}/${name}` },
  input: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
  effect: 'keyed',
  approval: 'auto',
  ...more,
})

verifies(
  'GOV-12',
  'a workflow is registered on the page, its secret is seen once, and it is started, watched and switched off with a reason',
  async () => {
    const { stage, other } = await opened()
    const { page, guard } = await visit(stage.url, { at: AT })
    guard.expect(REFUSED)
    await page.getByText('segno workflows add resize --file resize.json').waitFor()
    expect(await barriers(page)).toEqual([])
    await button(page, 'Add…').click()
    const name = field(page, 'Name')
    expect(await isFocused(name)).toBe(true)
    expect(await barriers(page)).toEqual([])
    await button(dialog(page), 'Add').click()
    await eventually(() => faultOf(name)).toContain('Please fill out this field.')
    await name.fill('Resize It')
    await field(page, 'What it does').fill('Makes it smaller.')
    await field(page, 'Address').fill(`${other.origin}/resize`)
    await field(page, 'Input').fill('{"type": "object",}')
    await field(page, 'What running it twice would do').selectOption('keyed')
    await dialog(page).getByText('It does it once per key').waitFor()
    await button(dialog(page), 'Add').click()
    await dialog(page).getByText('This is no JSON object.').waitFor()
    expect(await isFocused(field(page, 'Input'))).toBe(true)
    await field(page, 'Input').fill(JSON.stringify(FLAT))
    await button(dialog(page), 'Add').click()
    await eventually(() => faultOf(name)).toContain('Must be 1 to 50 small letters')
    await eventually(() => isFocused(name)).toBe(true)
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await button(page, 'Add…').click()
    expect(await field(page, 'What it does').inputValue()).toBe('Makes it smaller.')
    await name.fill('resize')
    await button(dialog(page), 'Add').click()
    await page
      .getByRole('dialog', { name: 'The secret, shown once' })
      .getByText(/^whsec_/)
      .waitFor()
    expect(await barriers(page)).toEqual([])
    await button(dialog(page), 'I have it').click()
    await row(page, 'resize').getByText('active').waitFor()
    expect(await page.content()).not.toContain('whsec_')

    await row(page, 'resize').getByRole('link', { name: 'resize' }).click()
    await main(page).getByText('It has not run yet.').waitFor()
    const form = main(page).getByRole('form', { name: 'Start a run' })
    await button(page, 'Start').click()
    await eventually(() => isFocused(form.getByLabel('File', { exact: true }))).toBe(true)
    await form.getByLabel('File', { exact: true }).fill('a.png')
    await form.getByLabel('width').fill('200')
    await form.getByLabel('how').selectOption('crop')
    await form.getByLabel('keep').selectOption('no')
    expect(await barriers(page)).toEqual([])
    await button(page, 'Start').click()
    await main(page).getByRole('heading', { name: 'resize succeeded' }).waitFor()
    await main(page).getByRole('region', { name: 'Output' }).getByText('a.small.png').waitFor()
    expect(await barriers(page)).toEqual([])
    expect(other.received.map(({ path, body }) => [path, body])).toEqual([
      ['/resize', { file: 'a.png', width: 200, how: 'crop', keep: false }],
    ])

    await main(page).getByRole('heading').getByRole('link', { name: 'resize' }).click()
    await button(page, 'Disable resize').click()
    expect(await button(dialog(page), 'Disable').isDisabled()).toBe(true)
    await dialog(page).getByRole('textbox').fill('It moves.')
    await button(dialog(page), 'Disable').click()
    await main(page).getByRole('heading', { name: 'resize disabled: It moves.' }).waitFor()
    await main(page).getByRole('form', { name: 'Start a run' }).waitFor({ state: 'detached' })
    expect(await barriers(page)).toEqual([])
    await button(page, 'Enable resize').click()
    await main(page).getByRole('form', { name: 'Start a run' }).waitFor()
    other.answer('/resize', 422)
    await form.getByLabel('File', { exact: true }).fill('b.png')
    await button(page, 'Start').click()
    await main(page).getByRole('heading', { name: 'resize failed' }).waitFor()
    await main(page).getByRole('heading').getByRole('link', { name: 'resize' }).click()
    await main(page)
      .getByText(/half took less than [\d.]+ m?s/)
      .waitFor()
    await main(page).getByRole('link', { name: '1 succeeded' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await main(page).getByRole('link', { name: '1 failed' }).click()
    await row(page, 'resize').getByText('It was answered with the status 422').waitFor()
    expect(await main(page).getByRole('row').count()).toBe(2)
    await view(page, 'Workflows').click()
    await row(page, 'resize').getByText('1 of 2').waitFor()
  },
)

test('an answer that waits for a workflow says for which and since when, and goes on when the result comes', async () => {
  const { stage, other } = await opened()
  await stage.post('/api/workflows', workflow(other, 'later'))
  const { page, tab } = await visit(stage.url)
  await say(page, 'smaller')
  await messages(page)
    .getByText(/Waiting for workflow later since \d\d:\d\d/)
    .first()
    .waitFor()
  expect(await barriers(page)).toEqual([])
  await messages(page).getByRole('link', { name: 'See its run' }).first().click()
  await main(page).getByRole('heading', { name: 'later waits for its result' }).waitFor()
  await main(page)
    .getByText(/^Its result is waited for until/)
    .waitFor()
  const { 'segno-invocation': id, 'segno-callback-token': token } = other.received[0]?.headers ?? {}
  const reported = await fetch(`${stage.url}/api/invocations/${String(id)}/result`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${String(token)}` },
    body: JSON.stringify({ status: 'success', output: { file: 'a.small.png' } }),
  })
  expect(reported.status).toBe(200)
  await main(page).getByRole('heading', { name: 'later succeeded' }).waitFor()
  await main(page).getByRole('link', { name: 'a conversation' }).click()
  await endOf(page, 'answered').waitFor()
  await answers(page).getByText('It went as it went.').waitFor()
  await (await tab(`#/s/${await sessionOf(page)}`)).getByText('It went as it went.').waitFor()
})

test('a result that comes after its call was given up is told in the conversation', async () => {
  const { stage, other } = await opened()
  await stage.post('/api/workflows', workflow(other, 'later', { waitMs: 500 }))
  const { page, tab } = await visit(stage.url)
  await say(page, 'smaller')
  await endOf(page, 'answered').waitFor()
  const newest = async () => (await stage.get('/api/invocations')).items?.[0] as { id?: string; status?: string }
  await eventually(async () => (await newest()).status).toBe('timeout')
  const run = await newest()
  await button(await tab(`${AT}?view=runs&id=${run.id}`), 'It happened').click()
  await call(page, 'workflow_later').getByText('timed out; later: it happened').waitFor()
  await call(page, 'workflow_later').click()
  await messages(page).getByText('Its result came late and says that it happened.').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  const line = call(page, 'workflow_later')
  expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('hooks, triggers, schedules and webhooks say what they start, and what did not arrive is sent again', async () => {
  const { stage, other } = await opened()
  await stage.post('/api/workflows', workflow(other, 'ship', { input: { type: 'object' } }))
  const { page, guard } = await visit(stage.url, { at: AT })
  guard.expect(REFUSED)
  for (const [name, words] of Object.entries(EMPTY)) {
    await view(page, name).click()
    await main(page).getByText(words).waitFor()
  }
  await view(page, 'Hooks').click()
  await button(page, 'Add…').click()
  await field(page, 'Name').fill('orders')
  await field(page, 'What a call does').selectOption('Reports an event, for triggers and webhooks')
  await field(page, 'Event').selectOption('A name of your own, such as order.paid…')
  await button(dialog(page), 'Add').click()
  await dialog(page).getByLabel('Event: A name of your own').fill('order.paid')
  expect(await barriers(page)).toEqual([])
  await button(dialog(page), 'Add').click()
  await dialog(page)
    .getByText(/^whsec_/)
    .waitFor()
  await button(dialog(page), 'I have it').click()
  await main(page).getByText('Tells triggers and webhooks of order.paid.').waitFor()
  await button(page, 'Remove orders').click()
  await button(dialog(page), 'Remove').click()
  await main(page).getByText(EMPTY.Hooks).waitFor()

  await view(page, 'Triggers').click()
  await button(page, 'Add…').click()
  await field(page, 'When this happens').selectOption('A name of your own, such as order.paid…')
  await dialog(page).getByLabel('When this happens: A name of your own').fill('order.paid')
  await dialog(page).getByLabel('Only if its payload says, 1: field').fill('plan')
  await dialog(page).getByLabel('Only if its payload says, 1: value').fill('pro')
  await dialog(page).getByLabel('Only if its payload says, 2: field').fill('seats')
  await dialog(page).getByLabel('Only if its payload says, 2: value').fill('5')
  await field(page, 'Workflow').selectOption('ship')
  expect(await barriers(page)).toEqual([])
  await button(dialog(page), 'Add').click()
  await main(page).getByText('Only if plan is "pro" and seats is 5. The event is a name of your own.').waitFor()
  await button(page, 'Change order.paid').click()
  await dialog(page).getByLabel('Only if its payload says, 2: field').fill('')
  await dialog(page).getByLabel('Only if its payload says, 2: value').fill('')
  await button(dialog(page), 'Save').click()

  await view(page, 'Schedules').click()
  await button(page, 'Add…').click()
  await field(page, 'When').selectOption('Every hour')
  await field(page, 'By the clock of').selectOption('Europe/Berlin')
  await field(page, 'Workflow').selectOption('ship')
  await field(page, 'Its input').fill('{"of": "today"}')
  expect(await barriers(page)).toEqual([])
  await button(dialog(page), 'Add').click()
  await main(page).getByText('Next by your clock: ').waitFor()
  await stage.post('/api/sessions', { title: 'Invoices' })
  await button(page, 'Add…').click()
  await field(page, 'When').selectOption('Another time: minute, hour, day of the month, month, day of the week…')
  await dialog(page).getByLabel('When: Another time').fill('61 * * * *')
  await field(page, 'What it does').selectOption('Says something in a conversation')
  await field(page, 'Conversation').selectOption('Invoices')
  await field(page, 'What is said there').fill('Is anything new?')
  await button(dialog(page), 'Add').click()
  const time = dialog(page).getByLabel('When: Another time')
  await eventually(() => faultOf(time)).toContain('Cannot be read; five fields')
  await eventually(() => isFocused(time)).toBe(true)
  await time.fill('5 4 * * *')
  await button(dialog(page), 'Add').click()
  await main(page).getByText('Says “Is anything new?” in').waitFor()
  await button(page, 'Change 5 4 * * *').click()
  await field(page, 'What it does').selectOption('Starts a workflow')
  await field(page, 'Workflow').selectOption('ship')
  await button(dialog(page), 'Save').click()
  await main(page).getByText('Says “Is anything new?” in').waitFor({ state: 'detached' })

  await view(page, 'Webhooks').click()
  await button(page, 'Add…').click()
  await field(page, 'Address').fill(`${other.origin}/told`)
  await button(dialog(page), 'Add').click()
  await dialog(page).getByRole('group', { name: 'It is told of' }).getByText('expected array').waitFor()
  await dialog(page).getByLabel('Names of your own').fill('order.paid')
  await dialog(page).getByRole('checkbox', { name: 'approval.requested' }).check()
  expect(await barriers(page)).toEqual([])
  await button(dialog(page), 'Add').click()
  await button(dialog(page), 'I have it').click()
  await main(page).getByText('Hears of approval.requested, order.paid, without words.').waitFor()
  await view(page, 'Triggers').click()
  await main(page).getByText('Only if plan is "pro".').waitFor()
  await view(page, 'Schedules').click()
  await main(page)
    .getByText(/Starts ship with {"of":"today"}\. Times are those of Europe\/Berlin\. Next by your clock: /)
    .waitFor()
  expect(await barriers(page)).toEqual([])

  other.answer('/told', 410)
  await stage.post('/api/events', { type: 'order.paid', payload: { plan: 'pro' }, id: 'o-1' })
  await view(page, 'Webhooks').click()
  await main(page).getByText('disabled: The other side says that it is gone (410).').waitFor()
  await button(page, 'Deliveries').click()
  await main(page).getByRole('row', { name: 'order.paid' }).getByText('failed').waitFor()
  expect(await barriers(page)).toEqual([])
  other.answer('/told', 200)
  await button(page, `Enable ${other.origin}/told`).click()
  await button(page, 'Send again').click()
  await main(page).getByRole('row', { name: 'order.paid' }).getByText('arrived').waitFor()
  await view(page, 'Triggers').click()
  await main(page).getByText('last run').waitFor()
  await view(page, 'Runs').click()
  await row(page, 'ship').getByText('a trigger').waitFor()
})

test('a workflow is changed by its form: only what is different is sent, and what is emptied is gone', async () => {
  const { stage, other } = await opened()
  const target = {
    url: `${other.origin}/hook`,
    auth: { header: 'x-segno', value: 'secret-1' },
    api: { url: `${other.origin}/api/v1`, key: 'secret-2' },
  }
  const more = { engine: 'n8n', target, effect: 'verifiable', quota: { perHour: 5 }, cost: 250_000, timeoutMs: 1500 }
  const { id } = await stage.post('/api/workflows', workflow(other, 'resize', more))
  const { page, guard } = await visit(stage.url, { at: `${AT}?id=${id}` })
  guard.expect(REFUSED)
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postDataJSON())
  })
  await button(page, 'Change resize').click()
  expect(await field(page, 'Value of that header').getAttribute('placeholder')).toBe('stays as it is')
  expect(await page.content()).not.toContain('secret-1')
  await button(dialog(page), 'More').click()
  expect(await field(page, 'Cost of one run, in dollars').inputValue()).toBe('0.25')
  expect(await field(page, 'Seconds to hand it over').inputValue()).toBe('1.5')
  await field(page, 'Most runs in an hour').fill('')
  await field(page, 'Cost of one run, in dollars').fill('0.07')
  await field(page, 'Address of its API').fill('')
  await button(dialog(page), 'More').click()
  expect(await field(page, 'Attempts to hand it over').isVisible()).toBe(false)
  await button(dialog(page), 'Save').click()
  await eventually(() => faultOf(field(page, 'What running it twice would do'))).toContain('nobody can be asked')
  await field(page, 'What running it twice would do').selectOption('keyed')
  expect(await barriers(page)).toEqual([])
  await button(dialog(page), 'Save').click()
  await main(page).getByText('costs $0.07 a run').waitFor()
  expect(sent.at(-1)).toEqual({
    target: { url: target.url, auth: { header: 'x-segno' }, api: null },
    effect: 'keyed',
    cost: 70_000,
    quota: null,
    revision: 1,
  })
  const changed = (await stage.get(`/api/workflows/${id}`)) as Record<string, unknown>
  expect(changed['target']).toEqual({ url: target.url, header: 'x-segno', hasAuth: true, hasApiKey: false })
  expect(changed).toMatchObject({ timeoutMs: 1500, approval: 'auto', cost: 70_000 })
  expect(changed['quota']).toBeUndefined()

  await button(page, 'Change resize').click()
  await stage.post(`/api/workflows/${id}/disable`, { reason: 'It moves.' })
  await field(page, 'What it does').fill('Something else')
  await button(dialog(page), 'Save').click()
  await dialog(page).getByRole('alert').getByText('changed').waitFor()
  expect(await field(page, 'What it does').inputValue()).toBe('Something else')
})

test('the same form shows all of it as JSON, and goes on from what was written there', async () => {
  const { stage } = await opened()
  const { page, guard } = await visit(stage.url, { at: `${AT}?view=hooks` })
  guard.expect(REFUSED)
  await button(page, 'Add…').click()
  await field(page, 'Name').fill('orders')
  await button(dialog(page), 'As JSON').click()
  const all = field(page, 'As JSON; docs/http-api.md has all fields')
  expect(JSON.parse(await all.inputValue())).toEqual({ name: 'orders', action: { does: 'workflow' } })
  await all.fill('{"name": "orders",}')
  await button(dialog(page), 'As a form').click()
  expect(await faultOf(all)).toContain('This is no JSON object.')
  await all.fill('{"name": "orders!", "action": {"does": "event", "type": "order.paid"}}')
  await button(dialog(page), 'Add').click()
  await dialog(page).getByRole('alert').getByText('name must be').waitFor()
  await button(dialog(page), 'As a form').click()
  expect(await dialog(page).getByLabel('Event: A name of your own').inputValue()).toBe('order.paid')
  await field(page, 'Name').fill('orders')
  await field(page, 'Name').press('Enter')
  await dialog(page)
    .getByText(/^whsec_/)
    .waitFor()
})

const EMPTY = {
  Runs: 'Nothing was started yet.',
  Webhooks: 'Nobody is told of events.',
  Hooks: 'Nothing outside can start anything here.',
  Triggers: 'No event starts a workflow.',
  Schedules: 'Nothing is started by the clock.',
}

test('while the list is on its way and when it does not come, the page says so', async () => {
  const { stage, other } = await opened()
  await stage.post('/api/workflows', workflow(other, 'resize'))
  const { page, guard } = await visit(stage.url, { at: '#/' })
  guard.expect(/Failed to load resource/)
  const held = Promise.withResolvers<void>()
  let isBroken = false
  await page.route('**/api/workflows?*', async (route) => {
    await held.promise
    await (isBroken ? route.fulfill({ status: 500, body: '' }) : route.continue())
  })
  await page.goto(new URL(`/${AT}`, stage.url).href)
  await main(page).getByRole('status', { name: 'Loading' }).waitFor()
  held.resolve()
  await row(page, 'resize').waitFor()
  isBroken = true
  await main(page)
    .getByText(/Not up to date:/)
    .first()
    .waitFor()
  expect(await row(page, 'resize').count()).toBe(1)
  expect(await barriers(page)).toEqual([])
})

test('who may only use workflows sees them and their own runs, and can change nothing', async () => {
  const { stage, other } = await opened()
  const { id } = await stage.post('/api/workflows', workflow(other, 'resize'))
  await stage.post(`/api/workflows/${id}/invoke?wait=1`, { input: { file: 'secret.png' } })
  const { page, guard } = await visit(stage.url, await asUser(stage, 'uma', 'user'))
  guard.expect(REFUSED)
  await sidebar(page).getByRole('link', { name: 'Workflows' }).click()
  await row(page, 'resize').waitFor()
  expect(await page.getByRole('navigation', { name: 'Workflows' }).getByRole('link').allInnerTexts()).toEqual([
    'Workflows',
    'Runs',
  ])
  expect(await button(page, 'Add…').count()).toBe(0)
  await row(page, 'resize').getByRole('link', { name: 'resize' }).click()
  await main(page).getByText('It has not run yet.').waitFor()
  expect(await button(page, 'Disable resize').count()).toBe(0)
  await page.goto(new URL(`/${AT}?view=hooks`, stage.url).href)
  await main(page).getByText('This needs the permission workflow:manage').waitFor()
  expect(await page.content()).not.toContain('secret.png')
})
