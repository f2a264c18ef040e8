import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { button, call, choose, messages, sayAndHear, sessionOf } from './support/person.ts'
import { newHome, openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const script = {
  scenarios: [
    {
      when: '^read',
      turns: [{ calls: [{ name: 'read_file', args: { path: 'letter.txt' } }] }, { text: 'I read it.' }],
    },
  ],
  otherwise: { text: 'Yes.' },
}

verifies('PHA-10', 'raw tool output is hidden until the reader asks for it, and is not even sent', async () => {
  const home = newHome()
  mkdirSync(join(home, 'workspace'))
  writeFileSync(join(home, 'workspace/letter.txt'), 'the secret recipe')
  const stage = await openStage({ script, home })
  const { page } = await visit(stage.url)
  const bodies: string[] = []
  page.on('response', (response) => {
    if (response.url().includes('/events') && !(response.headers()['content-type'] ?? '').includes('event-stream'))
      void response.text().then(
        (body) => bodies.push(body),
        () => {},
      )
  })
  await sayAndHear(page, 'read it')
  await call(page, 'read_file').click()
  await messages(page).getByText('Turn on “Show tool outputs”').waitFor()
  await page.reload()
  await call(page, 'read_file').click()
  await messages(page).getByText('Turn on “Show tool outputs”').waitFor()
  expect(await page.content()).not.toContain('the secret recipe')
  expect(bodies.join('')).not.toContain('the secret recipe')

  const toggle = button(page, 'Show tool outputs')
  expect(await toggle.getAttribute('aria-pressed')).toBe('false')
  await toggle.click()
  await messages(page).getByRole('group', { name: 'Output of read_file' }).getByText('the secret recipe').waitFor()
  await page.reload()
  await call(page, 'read_file').click()
  await messages(page).getByText('the secret recipe').waitFor()
  await toggle.click()
  await messages(page).getByText('Turn on “Show tool outputs”').waitFor()
  expect(await page.content()).not.toContain('the secret recipe')
})

verifies('PHA-1', 'a conversation is switched to another protocol and back to the default one', async () => {
  const stage = await openStage({ script })
  const { page } = await visit(stage.url)
  await sayAndHear(page, 'hello')
  await choose(page, /^Protocol: unified/, 'triggered')
  await page.getByRole('button', { name: 'Protocol: triggered' }).waitFor()
  await sayAndHear(page, 'read it')
  await choose(page, /^Protocol: triggered/, 'Default')
  await page.getByRole('button', { name: 'Protocol: unified' }).waitFor()
  await sayAndHear(page, 'hello again')
  const started = (await stage.events(await sessionOf(page))).filter(({ type }) => type === 'round.started')
  expect(started.map(({ data }) => data['protocol'])).toEqual(['unified', 'triggered', 'unified'])
})
