import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verifyLines } from '../../../src/channel/cli/topics/audit.ts'
import { shownDatabase } from '../../../src/config/cluster-settings.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { changeStored } from '../../support/change-stored.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { STORE, storeSettings } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { eventually } from '../library/support/eventually.ts'
import { newHome, segno, segnoUnread, serving } from './support/cli.ts'

interface Key {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly userId: string
  readonly scopes: string[] | null
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly secret?: string
}

const keyOf = (out: string): Key => JSON.parse(out) as Key
const keysOf = (out: string): Key[] => JSON.parse(out) as Key[]
/** Where a server says that it runs: machines may share the folder of a home whose database is elsewhere. */
const NOTE = STORE === 'sqlite' ? 'server.json' : `server-${hostname()}.json`
const SECRET = /segno_[0-9a-f]{16}_[0-9a-f]{64}/

const statusFor = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/api/sessions`, { headers: { authorization: `Bearer ${key}` } })).status

describe('segno keys', () => {
  verifies('GOV-32', 'makes, lists and revokes keys while no server runs', async () => {
    const home = newHome()
    expect((await segno(home, ['keys', 'ls'])).out).toBe('There are no keys. Make one with: segno keys add <name>')
    const flags = [
      '--user',
      'ada',
      '--role',
      'editor',
      '--scope',
      'chat:read',
      'tool:calculator',
      '--days',
      '3',
      '--json',
    ]
    const added = await segno(home, ['keys', 'add', 'laptop', ...flags])
    expect(added).toMatchObject({ code: 0, err: '' })
    const key = keyOf(added.out)
    expect(key).toMatchObject({
      name: 'laptop',
      userId: 'ada',
      role: 'editor',
      scopes: ['chat:read', 'tool:calculator'],
    })
    expect(Date.parse(key.expiresAt ?? '') - Date.now()).toBeGreaterThan(2.9 * 86_400_000)
    expect(key.secret).toMatch(SECRET)
    const listed = await segno(home, ['keys', 'ls', '--json'])
    expect(keysOf(listed.out)).toMatchObject([{ id: key.id, revokedAt: null }])
    expect(listed.out).not.toContain(key.secret)
    expect(await segno(home, ['keys', 'rm', key.id])).toMatchObject({ code: 0, out: `Key ${key.id} is revoked.` })
    const plain = await segno(home, ['keys', 'ls'])
    expect(plain.out).toContain('revoked')
    expect(plain.out).not.toMatch(SECRET)
  })

  verifies('GOV-32', 'makes one that may run the installation only where that is said', async () => {
    const home = newHome()
    const added = await segno(home, ['keys', 'add', 'ops', '--scope', 'audit:read', '--operator'])
    expect(added.out).toContain('in local: user (audit:read), operator, does not expire')
    await segno(home, ['keys', 'add', 'boss', '--role', 'super_admin'])
    const listed = await segno(home, ['keys', 'ls', '--json'])
    expect(keysOf(listed.out)).toMatchObject([
      { name: 'ops', operator: true },
      { name: 'boss', operator: false },
    ])
  })

  test('does the same through the server that has the database, at once', async () => {
    const home = newHome()
    const { url, stop } = await serving(home)
    expect(existsSync(join(home, NOTE))).toBe(true)
    const added = await segno(home, ['keys', 'add', 'laptop'])
    const [secret = ''] = SECRET.exec(added.out) ?? []
    expect([added.code, await statusFor(url, secret)]).toEqual([0, 200])
    const [key] = keysOf((await segno(home, ['keys', 'ls', '--json'])).out)
    expect((await segno(home, ['keys', 'rm', key?.id ?? '', '--json'])).out).toBe(
      JSON.stringify({ id: key?.id, revoked: true }),
    )
    expect(await statusFor(url, secret)).toBe(401)
    expect(await stop()).toBe(0)
    expect(existsSync(join(home, NOTE))).toBe(false)
    expect(keysOf((await segno(home, ['keys', 'ls', '--json'])).out)).toHaveLength(1)
  })

  test('needs a key itself where everybody does; the first one was shown by the server', async () => {
    const home = newHome()
    const { url, lines } = await serving(home, { SEGNO_REQUIRE_KEY: 'on' })
    const [first = ''] = SECRET.exec(lines.join('\n')) ?? []
    expect(first).not.toBe('')
    const without = await segno(home, ['keys', 'ls'])
    expect(without).toMatchObject({ code: 1, out: '' })
    expect(without.err).toContain('SEGNO_KEY')
    expect((await segno(home, ['keys', 'ls', '--json'], { SEGNO_KEY: first })).code).toBe(0)
    const who = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${first}` } })
    expect(await who.json()).toMatchObject({ tenant: 'local', permissions: ['*', 'operator'] })
    const elsewhere = newHome()
    expect((await segno(elsewhere, ['keys', 'ls', '--json', '--server', url], { SEGNO_KEY: first })).code).toBe(0)
    expect(await statusFor(url, first)).toBe(200)
  })

  test('makes another first key once every one that was made is revoked or has expired', async () => {
    const home = newHome()
    const keyOfStart = async (): Promise<string> => {
      const { lines, stop } = await serving(home, { SEGNO_REQUIRE_KEY: 'on' })
      await stop()
      return SECRET.exec(lines.join('\n'))?.[0] ?? ''
    }
    const first = await keyOfStart()
    const here = await composeUnderTest({ home, env: {} })
    for (const { id } of await here.keys.list(LOCAL_OWNER)) await here.keys.revoke(LOCAL_OWNER, id)
    const expiresAt = Date.now() + 200
    await here.keys.add(LOCAL_OWNER, { name: 'brief', expiresAt })
    await here.close()
    await eventually(() => Date.now() > expiresAt)
    const second = await keyOfStart()
    expect(second).toMatch(SECRET)
    expect(second).not.toBe(first)
  })

  test.each([
    ['a key nobody has', ['keys', 'rm', 'nope'], 1, 'There is no key nope'],
    ['a bad scope', ['keys', 'add', 'k', '--scope', 'everything'], 1, 'scopes'],
    ['a role nobody has', ['keys', 'add', 'k', '--role', 'king'], 2, 'king'],
    ['no name', ['keys', 'add'], 2, 'name'],
    ['days that are no number', ['keys', 'add', 'k', '--days', 'ten'], 2, 'whole number'],
    ['a command there is not', ['locks', 'ls'], 2, 'locks'],
    ['a server that is not there', ['keys', 'ls', '--server', 'http://127.0.0.1:9'], 1, 'Is it running?'],
    ['a server that is no address', ['keys', 'ls', '--server', 'nowhere'], 1, 'nowhere'],
  ])('answers %s with an exit code and a sentence', async (_, args, code, said) => {
    const ran = await segno(newHome(), args)
    expect([ran.code, ran.out]).toEqual([code, ''])
    expect(ran.err).toContain(said)
    expect(ran.err).not.toMatch(/^\s+at |Error:/m)
  })

  test('a note of a server that is gone does not get in the way', async () => {
    const home = newHome()
    const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
    const store = url === undefined ? {} : { store: shownDatabase(url) }
    writeFileSync(join(home, NOTE), JSON.stringify({ url: 'http://127.0.0.1:9', pid: 1, ...store }))
    expect((await segno(home, ['keys', 'ls'])).code).toBe(0)
  })
})

describe('segno audit', () => {
  /** A home with three keys made, so that there is something to verify. */
  async function homeWithRecords(): Promise<string> {
    const home = newHome()
    const here = await composeUnderTest({ home, env: {} })
    for (const name of ['one', 'two', 'three']) await here.keys.add(LOCAL_OWNER, { name })
    // Sealed at the latest when somebody reads it.
    await Array.fromAsync(here.audit.export(LOCAL_OWNER))
    await here.close()
    return home
  }

  test('verifies and exports, with a server and without', async () => {
    const home = await homeWithRecords()
    const alone = await segno(home, ['audit', 'verify', '--json'])
    expect(alone.code).toBe(0)
    expect(JSON.parse(alone.out)).toMatchObject({ ok: true, records: 3, findings: [] })
    const exported = await segno(home, ['audit', 'export'])
    const lines = exported.out.split('\n').map((line) => JSON.parse(line) as { seq?: number; head?: object })
    expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3, undefined])
    await serving(home)
    const served = await segno(home, ['audit', 'verify'])
    expect(served).toMatchObject({
      code: 0,
      out: expect.stringContaining('The audit log is whole: 3 records') as string,
    })
    expect((await segno(home, ['audit', 'export'])).out).toBe(exported.out)
  })

  test('ends quietly when nobody reads what it prints', async () => {
    const home = await homeWithRecords()
    expect(await segnoUnread(home, ['audit', 'export'])).toEqual({ code: 0, err: '' })
    expect(await segnoUnread(home, ['audit', 'verify'])).toEqual({ code: 0, err: '' })
  })

  test('verifies an export, and finds what was changed in it', async () => {
    const home = await homeWithRecords()
    const file = join(home, 'audit.jsonl')
    writeFileSync(file, `${(await segno(home, ['audit', 'export'])).out}\n`)
    expect((await segno(home, ['audit', 'verify', '--file', file])).code).toBe(0)
    writeFileSync(file, readFileSync(file, 'utf8').replace('key_created', 'key_revoked'))
    const changed = await segno(home, ['audit', 'verify', '--file', file])
    expect(changed.code).toBe(1)
    expect(changed.out).toContain('The audit log was changed')
  })

  test('prints nothing of a file that a terminal would obey', async () => {
    const home = newHome()
    const file = join(home, 'audit.jsonl')
    const evil = '\u001b]0;pwned\u0007\u009b2J'
    const row = { seq: 1, tenant: evil, at: 0, body: '[]', hash: evil }
    writeFileSync(file, `${JSON.stringify(row)}\n${JSON.stringify({ head: { seq: 1, hash: evil } })}\n`)
    const ran = await segno(home, ['audit', 'verify', '--file', file])
    expect(ran.code).toBe(1)
    expect(ran.out).toContain('\\u{1b}]0;pwned\\u{7}\\u{9b}2J')
    for (const obeyed of ['\u001b', '\u0007', '\u009b']) expect(ran.out).not.toContain(obeyed)
  })

  test('finds a record that was changed in the database itself', async () => {
    const home = await homeWithRecords()
    const change = "UPDATE audit SET body = replace(body, 'key_created', 'key_revoked') WHERE seq = 2"
    expect(await changeStored(home, change)).toBe(1)
    const ran = await segno(home, ['audit', 'verify', '--json'])
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.out)).toMatchObject({ ok: false })
  })

  test('finds an end that was cut off, given the head of before', async () => {
    const home = await homeWithRecords()
    const { head } = JSON.parse((await segno(home, ['audit', 'verify', '--json'])).out) as {
      head: { seq: number; hash: string }
    }
    expect(await changeStored(home, 'DELETE FROM audit WHERE seq = 3')).toBe(1)
    expect((await segno(home, ['audit', 'verify'])).code).toBe(0)
    expect((await segno(home, ['audit', 'verify', '--head', `${head.seq}:${head.hash}`])).code).toBe(1)
    expect((await segno(home, ['audit', 'verify', '--head', 'nonsense'])).code).toBe(1)
  })

  test('says what is wrong with a file it cannot read', async () => {
    const home = newHome()
    const missing = await segno(home, ['audit', 'verify', '--file', join(home, 'nope.jsonl')])
    expect(missing.code).toBe(1)
    expect(missing.err).toContain('nope.jsonl cannot be read')
    expect(missing.err).not.toMatch(/^\s+at /m)
  })

  test.each(['null', '7', '"x"', '{', '[]', '{}', '{"seq":"x"}', '{"seq":1,"body":"[]"}', '{"head":7}'])(
    'takes a line with %s for what it is: somebody’s change',
    async (line) => {
      expect(await verifyLines(of(line), undefined)).toMatchObject({ ok: false })
    },
  )

  test('finds that the end of an export was cut off, by the head that stands in it', async () => {
    const here = await composeUnderTest({ home: await homeWithRecords(), env: {} })
    const lines = await Array.fromAsync(here.audit.export(LOCAL_OWNER))
    await here.close()
    expect(await verifyLines(of(...lines), undefined)).toMatchObject({ ok: true })
    expect(await verifyLines(of(...lines.toSpliced(-2, 1)), undefined)).toMatchObject({ ok: false })
  })
})

async function* of(...lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}
