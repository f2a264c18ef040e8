import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newHome, segno, serving } from '../scenarios/account/support/cli.ts'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { verifies } from '../support/verifies.ts'
import { ask, newSession } from './support/ask.ts'

const write = (path: string, content: string) => ({
  calls: [{ name: 'write_file', args: { path, content } }],
})

/** A server whose model wants to write two files, and has asked for both. */
async function waiting() {
  const home = newHome()
  const script = {
    scenarios: [
      { when: '^one', turns: [write('one.txt', 'harmless\u202etxt.exe'), { text: 'Done.' }] },
      { when: '^two', turns: [write('two.txt', 'x'), { text: 'Done.' }] },
    ],
  }
  writeFileSync(join(home, 'script.json'), JSON.stringify(script))
  const { url } = await serving(home, { SEGNO_SCRIPT: join(home, 'script.json') })
  for (const content of ['one', 'two'])
    await ask(url, 'POST', `/api/sessions/${await newSession(url)}/messages?wait=1`, { content })
  return { home, url, file: (name: string): string => join(home, 'workspace', name) }
}

verifies(
  'ORC-8',
  'segno approvals shows what waits with nothing hidden, and takes a decision once',
  async () => {
    const { home, url, file } = await waiting()
    const [listed, parsed] = await Promise.all([
      segno(home, ['approvals', 'ls']),
      segno(home, ['approvals', 'ls', '--json']),
    ])
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toContain('harmless\\u{202e}txt.exe')
    expect(listed.out).not.toContain('\u202e')
    const [one, two] = JSON.parse(parsed.out) as { id: string; args: { content: string } }[]
    expect(one?.args.content).toBe('harmless\u202etxt.exe')
    expect(parsed.out).not.toContain('\u202e')
    for (const { id = '' } of [one ?? {}, two ?? {}] as { id?: string }[])
      expect(listed.out).toContain(`segno approvals approve ${id}`)

    const decided = await Promise.all([
      segno(home, ['approvals', 'approve', one?.id ?? '']),
      segno(home, ['approvals', 'deny', two?.id ?? '', '--reason', 'not today', '--json']),
    ])
    expect(decided.map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(JSON.parse(decided[1].out)).toEqual({ id: two?.id, decision: 'deny' })
    const ended = async (status: string): Promise<boolean> =>
      (await ask(url, 'GET', `/api/approvals?status=${status}`)).body.items?.length === 1
    await eventually(async () => (await ended('approved')) && (await ended('denied')) && existsSync(file('one.txt')))
    const again = await segno(home, ['approvals', 'deny', one?.id ?? ''])
    expect([again.code, again.out]).toEqual([1, ''])
    expect(again.err).toContain('already decided')
    expect(readFileSync(file('one.txt'), 'utf8')).toBe('harmless\u202etxt.exe')
    expect(existsSync(file('two.txt'))).toBe(false)
  },
  60_000,
)

test.each([
  ['an approval that is not there', ['approvals', 'approve', 'nope'], 1, 'There is no approval nope'],
  ['no approval', ['approvals', 'deny'], 2, 'id'],
  ['no word of what happened', ['calls', 'reconcile', 'nope'], 1, '--happened'],
  ['a call that is not there', ['calls', 'reconcile', 'nope', '--happened', 'yes'], 1, 'nope'],
])('segno says what is wrong with %s', async (_, args, code, named) => {
  const ran = await segno(newHome(), args)
  expect([ran.code, ran.out]).toEqual([code, ''])
  expect(ran.err).toContain(named)
  expect(ran.err).not.toMatch(/\n\s+at /)
})
