import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { segno } from '../scenarios/account/support/cli.ts'
import { storeSettings } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { homeWith, openTerminal } from './support/terminal.ts'

const script = { scenarios: [], otherwise: { text: 'You have 14 weeks [k1], and not 15 [k99].' } }
const QUESTION = 'How many weeks of parental leave?'
const SOURCES = /not 15 \[k99\]\.\n\nSources:\n {2}\[k1\] {2}leave · Parental leave\n/

verifies(
  'GOV-18',
  'below an answer stands what it noted',
  async () => {
    const { home, env } = homeWith({ scenarios: [], otherwise: { text: 'A fine name. [REMEMBER: Has a dog, Bo]' } })
    expect((await segno(home, ['preferences', 'set', '--memory', 'on'], env)).code).toBe(0)
    const chat = openTerminal({ home, env })
    await chat.waitFor('›')
    chat.type('My dog is called Bo.\r')
    await chat.waitFor('Done')
    expect(chat.screen()).toMatch(/A fine name\.\n+Remembered: Has a dog, Bo\n+Done/)
    chat.type('/quit\r')
    expect(await chat.ended).toBe(0)
    const piped = await segno(home, ['chat', 'My dog is called Bo.'], env)
    expect([piped.out.trim(), piped.err]).toEqual(['A fine name.', 'Remembered: Has a dog, Bo'])
  },
  90_000,
)

verifies(
  'GOV-19',
  'under an answer, a person reads what it cites; a script gets the answer as it is',
  async () => {
    const { home, env: scripted } = homeWith(script)
    const env = { ...scripted, ...(await storeSettings(home)) }
    mkdirSync(join(home, 'handbook'))
    writeFileSync(join(home, 'handbook', 'leave.md'), '# Parental \u202eleave\n\n14 weeks of parental leave.')
    const alone = { ...env, SEGNO_FOUR_EYES: 'off' }
    const imported = await segno(home, ['knowledge', 'import', 'handbook', '--publish', '--json'], alone)
    const [document] = (JSON.parse(imported.out) as { published: { id: string }[] }).published

    const chat = openTerminal({ home, env })
    await chat.waitFor('›')
    chat.type(`${QUESTION}\r`)
    await chat.waitFor('Done')
    expect(chat.screen()).toMatch(SOURCES)
    chat.type('/quit\r')
    expect(await chat.ended).toBe(0)

    const once = openTerminal({ home, env, args: [QUESTION] })
    expect(await once.ended).toBe(0)
    expect(`${once.everything()}\n`).toMatch(SOURCES)
    expect(once.raw()).not.toContain('\u202e')
    const piped = await segno(home, ['chat', QUESTION], env)
    expect(piped.out).toBe('You have 14 weeks [k1], and not 15 [k99].')
    const { citations } = JSON.parse((await segno(home, ['chat', '--json', QUESTION], env)).out) as {
      citations: object[]
    }
    expect(citations).toEqual([
      expect.objectContaining({ label: 'k1', documentId: document?.id, title: 'leave', version: 1 }),
    ])

    await segno(home, ['knowledge', 'rm', document?.id ?? '', '--yes'])
    const later = openTerminal({ home, env })
    await later.waitFor('Sources:\n  [k1]  deleted\n')
    await later.waitFor('Done')
  },
  90_000,
)
