import { expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { button, composer, endOf, said, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

/** A red square of 2 × 2 pixels. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
)

test('a picture is attached, shown before it is sent, stored, and shown again', async () => {
  const stage = await openStage({ script: { otherwise: { text: 'A picture.' } } })
  const { page } = await visit(stage.url)
  await page.locator('input[type=file]').setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: PICTURE })
  await page.getByRole('button', { name: /Remove red\.png/ }).waitFor()
  await composer(page).fill('look')
  await button(page, 'Send').click()
  await endOf(page, 'answered').waitFor()
  const session = await sessionOf(page)
  const message = (await stage.events(session)).find(({ type }) => type === 'message.user')
  expect(message?.data['content']).toMatchObject([
    { type: 'text', text: 'look' },
    { type: 'file', mediaType: 'image/png', name: 'red.png', bytes: PICTURE.length },
  ])
  await page.reload()
  const shown = said(page).getByRole('img', { name: 'red.png' })
  await shown.waitFor()
  await eventually(() => shown.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(2)
})

test('what cannot be sent is refused with its reason before it is sent', async () => {
  const stage = await openStage({ script: { otherwise: { text: 'Yes.' } }, env: { SEGNO_LIMITS_FILE_BYTES: '1000' } })
  const { page } = await visit(stage.url)
  // The page knows who asks, and with it what the server takes.
  await page.getByRole('link', { name: 'Operator pages' }).waitFor()
  const field = page.locator('input[type=file]')
  await field.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(2000, 1) })
  await page
    .getByText(/big\.png/)
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: /Remove big\.png/ }).count()).toBe(0)
  await field.setInputFiles({
    name: 'program.exe',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from([0, 1, 2, 255]),
  })
  await page
    .getByText(/program\.exe/)
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: /Remove program\.exe/ }).count()).toBe(0)
  expect((await stage.get('/api/sessions')).items).toEqual([])
})
