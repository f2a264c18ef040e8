import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { eventually } from './support/eventually.ts'
import { answers, askFor, button, call, endOf, inspector, messages, say, sessionOf } from './support/person.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

verifies(
  ['ORC-8', 'COO-9'],
  'somebody new takes the tour, approves a call, stops an answer, forks the conversation and sees what the model was sent',
  async () => {
    const stage = await openStage()
    const { page } = await visit(stage.url)
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
    await eventually(() => page.getByRole('main').innerText()).toContain('scripted')
    await button(page, 'Take the tour').click()

    const ask = askFor(page, 'write_file')
    await ask.waitFor()
    expect(await ask.innerText()).toContain('Somebody approved that this file is written.')
    expect(existsSync(join(stage.home, 'workspace/tour/note.md'))).toBe(false)
    await button(ask, 'Approve').click()
    await endOf(page, 'answered').waitFor()
    expect(existsSync(join(stage.home, 'workspace/tour/note.md'))).toBe(true)
    expect(await call(page, 'write_file').allInnerTexts()).toEqual([
      expect.stringContaining('ok'),
      expect.stringContaining('refused: a duplicate'),
    ])

    await say(page, 'Tell me a long story')
    await answers(page).nth(1).getByText('Once there was a copyist').waitFor()
    await button(page, 'Stop').click()
    await endOf(page, 'cancelled').waitFor()
    await messages(page).getByText('stopped here').waitFor()

    const first = await sessionOf(page)
    await answers(page).first().hover()
    await button(answers(page).first(), 'Fork from here').click()
    await eventually(() => sessionOf(page)).not.toBe(first)
    const fork = await sessionOf(page)
    await eventually(() => answers(page).count()).toBe(1)
    expect((await stage.get(`/api/sessions/${fork}`))['parent']).toMatchObject({ sessionId: first })

    await button(page, 'How this came about').click()
    await inspector(page).getByRole('tab', { name: 'Prompt' }).click()
    const prompt = await stage.get(`/api/sessions/${fork}/prompt`)
    const layers = prompt['layers'] as { name: string; text: string; hash: string }[]
    for (const { name, text, hash } of layers) {
      await inspector(page)
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .click()
      await inspector(page).getByText(hash.slice(0, 12)).waitFor()
      expect(await inspector(page).getByLabel(`Text of ${name}`).textContent()).toBe(text)
    }
    expect(layers.length).toBeGreaterThan(1)
  },
)
