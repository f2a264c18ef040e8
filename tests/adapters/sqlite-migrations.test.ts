import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { initial } from '../../src/store/sqlite/migrations/0001-initial.ts'
import { audit } from '../../src/store/sqlite/migrations/0002-audit.ts'
import { accounts } from '../../src/store/sqlite/migrations/0003-accounts.ts'
import { asked, claimOf, ended, HERS, said, started, unknown, waits } from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { USUAL_PROMPT } from '../../src/contract/workspace.ts'
import { openStore, tempFile } from './sqlite/temp-folder.ts'

const ADDS_NOTHING = { files: [], dynamicContext: [], promptSettings: USUAL_PROMPT }

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  approvals: ['tenant', 'owner'],
  calls: ['tenant', 'owner'],
  rounds: ['tenant', 'owner', 'waiting_until'],
  sessions: ['used_at'],
  claims: ['created_at'],
}

/** The same rows in a database as version 3 made it. */
function asOfVersion3(file: string): string {
  const older = tempFile()
  const db = new DatabaseSync(older)
  db.exec(`${initial} ${audit} ${accounts} DELETE FROM pulse; PRAGMA user_version = 3; ATTACH '${file}' AS now`)
  const tables = db
    .prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
  for (const { name } of tables as { name: string }[]) {
    const all = db.prepare('SELECT name FROM pragma_table_info(?)').all(name) as { name: string }[]
    const columns = all.map((column) => column.name).filter((column) => !COLUMNS[name]?.includes(column))
    db.exec(`INSERT INTO main.${name} (${columns.join()}) SELECT ${columns.join()} FROM now.${name}`)
  }
  db.close()
  return older
}

test('a database of version 3 is brought up to date: its approvals, calls and rounds get their owner, its claims an age, its sessions when they were used', async () => {
  const file = tempFile()
  const store = openStore(file)
  const writer = await SessionWriter.create(store)
  await writer.write(started('s'), ended('s'))
  const idle = await SessionWriter.create(store)
  await writer.write(started('r'), asked('r', 'a', 500), unknown('r', 'c'))
  const eves = await SessionWriter.create(store, { actor: { id: 'eve', tenant: 'local' } })
  // The clock was set back meanwhile.
  await eves.write({ ...started('q'), at: 5000 }, asked('q', 'b'))
  for (const until of [400, 500]) await eves.write(said(), waits('q', until), said())
  const fork = await writer.fork(2)
  await writer.commit([said()], { claim: claimOf('once') })
  const seen = async (from: typeof store) => [
    await from.approvals(HERS),
    await from.unknownCalls(HERS),
    await from.dueRounds(499),
    await from.dueRounds(500),
    await from.roundPage(HERS),
    await from.sessions(HERS),
    await from.session(eves.id),
  ]
  const before = await seen(store)
  await store.close()

  const start = Math.floor(Date.now() / 1000) * 1000
  const updated = openStore(asOfVersion3(file))
  expect(await seen(updated)).toEqual(before)
  expect(await updated.dueRounds(500)).toEqual([eves.id])
  expect((await updated.roundPage(HERS)).items).toHaveLength(2)
  expect((await updated.sessions(HERS)).items.map(({ id }) => id)).toEqual([fork.id, writer.id, idle.id])
  expect((await updated.approvals({ tenant: 'local', owner: 'eve' })).items).toMatchObject([{ id: 'b' }])
  expect(await updated.forgetClaims(start, 9)).toBe(0)
  expect(await updated.findClaim('once')).toBeDefined()
  expect(await updated.forgetClaims(Date.now() + 1, 9)).toBe(1)
  expect(await updated.check()).toMatchObject({ ok: true, findings: [] })
})

test('keys from before run the installation where they did: in the tenant of the owner, with all rights', async () => {
  const file = tempFile()
  const store = openStore(file)
  const common = { userId: 'ada', name: 'k', hash: '', operator: false, createdAt: 1, expiresAt: null, revokedAt: null }
  const rows = [
    ['local', 'super_admin', null, true],
    ['local', 'super_admin', ['chat:*', '*'], true],
    ['local', 'super_admin', ['chat:*', 'tool:manage'], false],
    ['local', 'super_admin', [], false],
    ['local', 'admin', null, false],
    ['local', 'admin', ['*'], false],
    ['acme', 'super_admin', null, false],
  ] as const
  for (const [at, [tenant, role, scopes]] of rows.entries())
    await store.putKey({ ...common, id: `k${at}`, tenant, role, scopes })
  await store.close()
  const updated = openStore(asOfVersion3(file))
  const keys = await updated.keys()
  expect(keys.map(({ tenant, role, scopes, operator }) => [tenant, role, scopes, operator])).toEqual(rows)
})

test('rows of workspaces from before are trusted where the owner of the machine is, and nowhere else', async () => {
  const file = tempFile()
  const store = openStore(file)
  const common = { name: 'W', folder: '/srv/files', instructions: 'Dig.', models: [], mcpServers: [], ...ADDS_NOTHING }
  const known = { folderByOwner: true, instructionsBy: 'ada', instructionsTrusted: true, createdAt: 1, updatedAt: 1 }
  for (const tenant of ['local', 'acme']) await store.putWorkspace({ id: tenant, tenant, ...common, ...known })
  await store.close()
  const updated = openStore(asOfVersion3(file))
  expect(await updated.workspace('local')).toMatchObject({ ...common, ...known, instructionsBy: null })
  const foreign = { folderByOwner: false, instructionsBy: null, instructionsTrusted: false }
  expect(await updated.workspace('acme')).toMatchObject({ ...common, ...foreign })
})
