import { expect, test } from 'vitest'
import { barriers } from './support/barriers.ts'
import { answers, button, sayAndHear } from './support/person.ts'
import { openRecorded, PLAY } from './support/recorded.ts'
import { visit } from './support/visit.ts'

test.each([1280, 390])('what an answer refers to stands below it, %i pixels', async (width) => {
  const stage = await openRecorded('anthropic-web-search')
  const { page } = await visit(stage.url, { viewport: { width, height: 780 } })
  await sayAndHear(page, PLAY)
  const list = answers(page).getByRole('list', { name: 'Sources' })
  const links = await list
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => ['href', 'rel', 'target'].map((name) => link.getAttribute(name))))
  expect(links.length).toBeGreaterThan(0)
  for (const link of links)
    expect(link).toEqual([expect.stringMatching(/^https:/), 'noopener noreferrer nofollow', '_blank'])
  expect(await barriers(page)).toEqual([])
})

test('a picture that a model made is shown below its words', async () => {
  const stage = await openRecorded('google-image')
  const { page } = await visit(stage.url)
  await sayAndHear(page, PLAY)
  const picture = answers(page).getByRole('img')
  await picture.waitFor({ state: 'attached' })
  expect(await picture.getAttribute('src')).toMatch(/^blob:/)
  await button(answers(page), 'Save picture').waitFor({ state: 'attached' })
  expect(await barriers(page)).toEqual([])
})
