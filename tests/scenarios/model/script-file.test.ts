import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createSegno } from '../../../src/index.ts'
import { storeSettings } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const script = {
  scenarios: [
    { when: '^what time', turns: [{ calls: [{ name: 'datetime', args: {} }] }, { text: 'Now you know.' }] },
    { when: '^(hello|hi)', turns: [{ reasoning: 'Polite.', text: 'Good day. You said: {{message}}', deltaChars: 3 }] },
    { when: 'hi', turns: [{ text: 'Never reached by a greeting.' }] },
    { when: '^once', turns: [{ text: 'Only once.' }] },
  ],
  otherwise: { text: 'I do not know {{message}}.' },
}

function folder(): string {
  const home = mkdtempSync(join(tmpdir(), 'segno-script-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

async function answersOf(home: string, file: string, messages: readonly string[]): Promise<string[]> {
  const segno = await createSegno({ home, env: { SEGNO_SCRIPT: file, ...(await storeSettings(home)) } })
  onTestFinished(() => segno.close())
  const { id } = await segno.createSession()
  const answers: string[] = []
  for (const message of messages) {
    const { completion } = await segno.streamRequest(id, message)
    answers.push((await completion).content)
  }
  return answers
}

verifies(
  'ORC-12',
  'SEGNO_SCRIPT alone makes a model that answers, uses built-in tools and goes on after results',
  async () => {
    const home = folder()
    const file = join(home, 'script.json')
    writeFileSync(file, JSON.stringify(script))
    expect(await answersOf(home, file, ['What time is it?', 'Hi!', 'Once', 'Once', 'the way'])).toEqual([
      'Now you know.',
      'Good day. You said: Hi!',
      'Only once.',
      'Only once.',
      'I do not know the way.',
    ])
  },
)

const broken: Record<string, readonly [text: string, says: RegExp]> = {
  'is not there': ['', /SEGNO_SCRIPT names .*script\.json/],
  'is not JSON': ['{', /SEGNO_SCRIPT names .*script\.json.*JSON/],
  'has a turn nobody can play': ['{"scenarios":[{"when":"a","turns":[{"txt":"b"}]}]}', /scenarios\[0\]\.turns\[0\]/],
}
for (const [how, [text, says]] of Object.entries(broken)) {
  verifies('ORC-12', `a script that ${how} stops the start with a message that says so`, async () => {
    const home = folder()
    const file = join(home, 'script.json')
    if (text !== '') writeFileSync(file, text)
    await expect(createSegno({ home, env: { SEGNO_SCRIPT: file } })).rejects.toThrow(says)
  })
}

verifies('ORC-12', 'without a script and without a key there is still a model', async () => {
  const home = folder()
  const segno = await createSegno({ home, env: await storeSettings(home) })
  onTestFinished(() => segno.close())
  expect(segno.model).toBe('scripted')
})
