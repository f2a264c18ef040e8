import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSegno, tempHome } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'

test('everything that is wrong with the settings is said in one message', async () => {
  const env = {
    SEGNO_DURABILTY: 'full',
    SEGNO_PROTOCOL: 'thrice',
    SEGNO_LIMITS_MAX_ROUNDS: 'many',
    SEGNO_LIMITS_TOTAL_MS: '-5',
    SEGNO_LIMITS_FUN: '1',
  }
  const { code, message } = await problemOf(openSegno({ env }))
  expect(code).toBe('CONFIG_ERROR')
  expect(message).toContain('SEGNO_DURABILTY is not a setting (did you mean SEGNO_DURABILITY?)')
  expect(message).toContain('SEGNO_PROTOCOL is "thrice", expected unified or triggered')
  expect(message).toContain('SEGNO_LIMITS_MAX_ROUNDS is "many", expected a whole number')
  expect(message).toContain('SEGNO_LIMITS_TOTAL_MS is "-5"')
  expect(message).toContain('SEGNO_LIMITS_FUN is not a setting')
})

test('a limit that nobody knows is named when it is given in code', async () => {
  const problem = await problemOf(openSegno({ limits: { FUN: 1 } as object }))
  expect(problem).toMatchObject({ code: 'CONFIG_ERROR' })
  expect(problem.message).toContain('limits.FUN is not a limit')
})

test('a model that nobody knows stops the start, and the known ones are named', async () => {
  for (const options of [{ model: 'gpt-99' }, { env: { SEGNO_MODEL: 'gpt-99' } }]) {
    const { message } = await problemOf(openSegno(options))
    expect(message).toContain('There is no model gpt-99')
    expect(message).toContain('scripted')
  }
})

const SCRIPTS: readonly [string, string | undefined, RegExp][] = [
  ['that is not there', undefined, /ENOENT/],
  ['that is no JSON', '{ scenarios: ', /JSON/],
  ['that is a list', '[]', /object/],
  ['with a scenario that says nothing', '{"scenarios": [{"when": "x", "turns": []}]}', /scenarios\[0\]\.turns/],
  ['with a pattern that is none', '{"scenarios": [{"when": "(", "turns": [{}]}]}', /scenarios\[0\]\.when/],
  ['with a field nobody knows', '{"otherwise": {"txt": "hi"}}', /otherwise\.txt/],
  ['with a fault nobody knows', '{"otherwise": {"fault": {"kind": "fire"}}}', /otherwise\.fault\.kind/],
]

for (const [what, text, said] of SCRIPTS) {
  test(`a script ${what} stops the start, and the message says where`, async () => {
    const home = tempHome()
    const file = join(home, 'script.json')
    if (text !== undefined) writeFileSync(file, text)
    const problem = await problemOf(openSegno({ home, env: { SEGNO_SCRIPT: file } }))
    expect(problem.code).toBe('CONFIG_ERROR')
    expect(problem.message).toContain(`SEGNO_SCRIPT names ${file}`)
    expect(problem.message).toMatch(said)
  })
}

test('a script in a file is played', async () => {
  const home = tempHome()
  const file = join(home, 'script.json')
  writeFileSync(file, JSON.stringify({ otherwise: { text: 'from the file' } }))
  const segno = await openSegno({ home, env: { SEGNO_SCRIPT: file } })
  const { id } = await segno.createSession()
  expect(await (await segno.streamRequest(id, 'hello')).completion).toMatchObject({ content: 'from the file' })
})

test('a limit larger than any timer is still a limit', async () => {
  const forever = 2 ** 40
  const limits = { TOTAL_MS: forever, MODEL_CALL_MS: forever, CONTENT_GAP_MS: forever, TOOL_MS: forever }
  const segno = await openSegno({ model: { otherwise: { text: 'hi', delayMs: 5, deltaChars: 1 } }, limits })
  const { id } = await segno.createSession()
  expect(await (await segno.streamRequest(id, 'hello')).completion).toMatchObject({ finishReason: 'complete' })
})
