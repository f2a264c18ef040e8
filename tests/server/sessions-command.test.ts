import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reach } from '../../src/channel/cli/index.ts'
import { listRounds } from '../../src/channel/cli/topics/rounds.ts'
import { listSessions } from '../../src/channel/cli/topics/sessions.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { newHome, segnoUnread, segno, serving } from '../scenarios/account/support/cli.ts'
import { probe } from '../support/probe-tool.ts'
import { segnoUnderTest } from '../support/segno-under-test.ts'
import { verifies } from '../support/verifies.ts'

const HOSTILE = 'Tax \u202e return \u001b[31m'

/** A conversation with a call in it, in a home that no Segno has open any more. */
async function conversation(): Promise<{ home: string; id: string; last: number }> {
  const it = await segnoUnderTest({
    tools: [probe('probe', { run: () => 'raw \u001b[2J output' })],
    turns: [{ text: 'Let me see.', calls: [{ name: 'probe', args: { q: 1 } }] }, { text: 'Here\nit is.' }],
  })
  await it.segno.sessions.change({ id: 'owner', kind: 'user', tenant: 'local', permissions: ['*'] }, it.sessionId, {
    title: HOSTILE,
  })
  await it.ask('Where is it?\u202e')
  const last = (await it.events()).length
  await it.segno.close()
  return { home: it.home, id: it.sessionId, last }
}

verifies(
  'ORC-5',
  'segno sessions lists, shows, forks, exports and deletes, whether or not a server runs',
  async () => {
    const { home, id, last } = await conversation()
    const run = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await segno(home, ['sessions', ...args])
      expect([code, err]).toEqual([0, ''])
      return out
    }
    const ls = await run('ls')
    expect(ls).toMatch(new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  Tax \\\\u\\{202e\\} return`))
    expect(await run('ls', '--search', 'RETURN nowhere')).toBe('No title has all these words.')

    const shown = await run('show', id.slice(0, 8))
    expect(shown).toMatch(/\[\d+\] User\n {4}Where is it\?\\u\{202e\}\n/)
    expect(shown).toMatch(/\[\d+\] probe \{"q":1\}\n\n\[\d+\] probe → ok · /)
    expect(shown).toContain('Assistant\n    Here\n    it is.')
    expect(shown).not.toContain('output')
    expect(await run('show', id, '--outputs')).toContain('raw \\u{1b}[2J output')
    const [, answer = ''] = /\[(\d+)\] Assistant\n {4}Let me see/.exec(shown) ?? []
    expect(await run('show', id, '--at', answer)).not.toContain('Here')

    await serving(home)
    expect([await run('ls'), await run('show', id)]).toEqual([ls, shown])
    const fork = JSON.parse(await run('fork', id, answer, '--title', 'Another way', '--json')) as { id: string }
    expect(await run('show', fork.id)).toContain(`forked from ${id} at event ${answer}`)
    const file = join(newHome(), 'talk.md')
    await run('export', id, '--out', file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8').trimEnd()).toBe(await run('export', id))
    expect((await run('export', id, '--as', 'jsonl')).split('\n')).toHaveLength(last)
    expect(await run('rm', id, '--yes')).toMatch(/^Deleted: "Tax .*", \d+ events and their files\.$/)
    const left = await run('ls', '--json')
    expect((JSON.parse(left) as { id: string }[]).map((one) => one.id)).toEqual([fork.id])
  },
  90_000,
)

verifies(
  'REL-4',
  'a command that only looks leaves a round that was running as the log has it',
  async () => {
    const it = await segnoUnderTest({
      turns: [{ text: 'A long answer. '.repeat(500), delayMs: 20, deltaChars: 1 }],
      limits: { DRAIN_MS: 1 },
    })
    const { requestId } = await it.send('Go.')
    await it.until('turn.started')
    const before = await it.events()
    await it.segno.close()
    const id = it.sessionId
    for (const args of [
      ['sessions', 'show', id],
      ['replay', id],
      ['db', 'check'],
      ['approvals', 'ls'],
      ['calls', 'ls'],
      ['mcp', 'ls'],
    ])
      expect((await segno(it.home, args)).code).toBe(0)
    const { out } = await segno(it.home, ['rounds', 'show', requestId, '--json'])
    expect(JSON.parse(out)).toMatchObject({ state: 'running', requestId })
    const exported = await segno(it.home, ['sessions', 'export', id, '--json'])
    expect(exported.out.split('\n').map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(
      before.map((event) => event.id),
    )
  },
  60_000,
)

test('segno sessions ls and rounds ls say that there are more, and a fork is called one once', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Here.' }], repeat: true })
  for (const message of ['one', 'two']) await it.ask(message)
  await it.segno.sessions.fork(LOCAL_OWNER, it.sessionId, 2)
  await it.segno.sessions.fork(LOCAL_OWNER, it.sessionId, 2, 'Another way')
  const reached = await reach({ home: it.home, key: undefined, server: undefined, open: async () => it.segno })
  const lines = (await listSessions(reached, {})).text.split('\n')
  expect(lines.map((line) => line.slice(56))).toEqual([
    'Another way  (fork)',
    'New conversation (fork)',
    'New conversation',
  ])
  const { text } = await listSessions(reached, { limit: 2 })
  expect(text).toBe([...lines.slice(0, 2), 'There are more: --limit 10 shows them, --search fewer.'].join('\n'))
  const rounds = async (flags: object) => (await listRounds(reached, flags)).text
  expect((await rounds({ limit: 1 })).split('\n')).toEqual([
    (await rounds({})).split('\n')[0],
    'There are more: --limit 5 shows them, --state or --session fewer.',
  ])
  expect((await listRounds(reached, { limit: 1 })).json).toHaveLength(1)
})

test('segno sessions show leaves out messages that were deleted', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Here.' }] })
  await it.ask('a secret')
  const asked = (await it.events()).find(({ type }) => type === 'message.user')?.id ?? ''
  await it.segno.fetch(
    new Request(`http://127.0.0.1/api/sessions/${it.sessionId}/messages/${asked}`, { method: 'DELETE' }),
  )
  await it.segno.close()
  const { out } = await segno(it.home, ['sessions', 'show', it.sessionId])
  expect(out).toContain('Here.')
  expect(out).not.toContain('a secret')
})

test('who reads an export may leave before its end', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'x'.repeat(300_000) }] })
  for (let i = 0; i < 4; i++) await it.ask('again')
  await it.segno.close()
  expect(await segnoUnread(it.home, ['sessions', 'export', it.sessionId])).toEqual({ code: 0, err: '' })
})

test.each([
  ['an id that is too short', ['show', 'abc'], 1, 'at least 6 characters'],
  ['an id that is not there', ['show', 'abcdef'], 1, 'no session abcdef'],
  ['a number that is none', ['fork', 'abcdef', 'three'], 2, 'three'],
  ['a form that is none', ['export', 'abcdef', '--as', 'pdf'], 2, 'pdf'],
])('segno sessions says what is wrong with %s', async (_, args, code, named) => {
  const ran = await segno(newHome(), ['sessions', ...args])
  expect([ran.code, ran.out]).toEqual([code, ''])
  expect(ran.err).toContain(named)
  expect(ran.err).not.toMatch(/\n\s+at /)
})

test('segno sessions rm without a terminal deletes nothing unless it is told to', async () => {
  const { home, id } = await conversation()
  const ran = await segno(home, ['sessions', 'rm', id])
  expect([ran.code, ran.out]).toEqual([1, ''])
  expect(ran.err).toContain('--yes')
  expect((await segno(home, ['sessions', 'ls'])).out).toContain(id)
})

test('segno sessions import takes an event log of another system, or says which line is wrong', async () => {
  const home = newHome()
  const file = join(home, 'old.jsonl')
  const said = (type: string, payload: object): string => `${JSON.stringify({ type, payload })}\n`
  const log = said('message.user', { content: 'Where were we?' }) + said('message.assistant', { content: 'Here.' })
  writeFileSync(file, log)
  const made = await segno(home, ['sessions', 'import', file, '--title', 'Before'])
  expect([made.code, made.err]).toEqual([0, ''])
  const [id = '', words] = made.out.split('\n')
  expect(words).toContain(`segno chat --session ${id}`)
  const shown = await segno(home, ['sessions', 'show', id])
  for (const text of ['Where were we?', 'Here.']) expect(shown.out).toContain(text)

  writeFileSync(file, `${log}{}`)
  const bad = await segno(home, ['sessions', 'import', file])
  expect([bad.code, bad.out]).toEqual([1, ''])
  expect(bad.err).toContain('Line 3: type must be')
  expect((await segno(home, ['sessions', 'import', join(home, 'none')])).err).toContain('is not there')
}, 60_000)
