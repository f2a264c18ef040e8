import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { permissionsOf } from '../../../src/account/index.ts'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { ask } from '../http/ask.ts'
import { verifies } from '../../support/verifies.ts'
import { calling, result, tempFolder } from './support.ts'

const admin: Actor = { id: 'ada', kind: 'admin', tenant: 'acme', permissions: permissionsOf('admin', null) }
const rival: Actor = { ...admin, tenant: 'rival' }
/** With a key, from wherever: the same name, the same tenant and the same permissions as the owner of the machine. */
const ownersKey: Actor = { ...LOCAL_OWNER }

const rootsOf = (roots: Readonly<Record<string, readonly string[]>>): Opening => ({
  env: { SEGNO_FOLDER_ROOTS: JSON.stringify(roots) },
})
const systemFolder = async ({ segno }: SegnoUnderTest, actor: Actor): Promise<string> =>
  (await segno.workspaces.get(actor, 'system')).folder

function inside(folder: string, name: string): string {
  const made = join(folder, name)
  mkdirSync(made)
  return made
}

/** Everywhere that is nobody's to name, whatever roots they have. */
async function forbidden(u: SegnoUnderTest): Promise<string[]> {
  const theirs = await u.segno.workspaces.create(rival, {})
  return [
    '/',
    '/etc',
    '/etc/ssl',
    '/usr/lib',
    '/tmp',
    '/home',
    '/proc/self',
    '/dev/shm',
    u.home,
    dirname(u.home),
    join(u.home, 'workspaces'),
    join(u.home, 'tenants'),
    join(u.home, 'workspace', '..'),
    theirs.folder,
    await systemFolder(u, rival),
  ]
}

describe('the folder an admin of a tenant names', () => {
  verifies('GOV-32', 'lies under a root of that tenant, or is refused', async () => {
    const [ours, others, nobodys] = [tempFolder(), tempFolder(), tempFolder()]
    const u = await segnoUnderTest(rootsOf({ acme: [ours], rival: [others] }))
    const { workspaces } = u.segno
    const project = inside(ours, 'project')
    const own = inside(await systemFolder(u, admin), 'project')
    for (const folder of [ours, project, own]) {
      const made = await workspaces.create(admin, { folder })
      expect(made.folder).toBe(folder)
    }
    const { id } = await workspaces.create(admin, {})
    const wrong = [nobodys, others, inside(others, 'deep'), dirname(ours), join(ours, '..'), ...(await forbidden(u))]
    for (const folder of [...wrong, join(nobodys, 'missing'), await systemFolder(u, LOCAL_OWNER)]) {
      const refused = { code: 'VALIDATION_ERROR', field: 'folder' }
      const said = { message: expect.stringContaining('SEGNO_FOLDER_ROOTS') as string }
      await expect(workspaces.create(admin, { folder }), folder).rejects.toMatchObject({ ...refused, ...said })
      await expect(workspaces.change(admin, id, { folder }), folder).rejects.toMatchObject({ ...refused, ...said })
    }
  })

  test('is judged by where it really is', async () => {
    const [ours, nobodys] = [tempFolder(), tempFolder()]
    const u = await segnoUnderTest(rootsOf({ acme: [ours] }))
    symlinkSync(nobodys, join(ours, 'out'))
    symlinkSync(u.home, join(ours, 'home'))
    symlinkSync(inside(ours, 'project'), join(ours, 'in'))
    for (const name of ['out', 'home', 'out/missing'])
      await expect(u.segno.workspaces.create(admin, { folder: join(ours, name) }), name).rejects.toMatchObject({
        field: 'folder',
      })
    expect((await u.segno.workspaces.create(admin, { folder: join(ours, 'in') })).folder).toBe(join(ours, 'project'))
  })

  test('is refused in the same words whether or not it exists, so that nobody learns what there is', async () => {
    const u = await segnoUnderTest(rootsOf({ acme: [tempFolder()] }))
    const words = async (folder: string): Promise<string> =>
      u.segno.workspaces.create(admin, { folder }).then(
        () => 'made',
        (error: unknown) => (error as Error).message,
      )
    expect(new Set(await Promise.all(['/etc', '/etc/nothing', tempFolder(), '/nowhere'].map(words))).size).toBe(1)
  })

  test('cannot hold the root of another tenant, nor lie in it, even by way of a link', async () => {
    const ours = tempFolder()
    const theirs = inside(ours, 'rival')
    const elsewhere = tempFolder()
    symlinkSync(theirs, join(elsewhere, 'link'))
    const u = await segnoUnderTest(rootsOf({ acme: [ours], rival: [join(elsewhere, 'link')] }))
    for (const folder of [ours, theirs])
      for (const actor of [admin, rival])
        await expect(u.segno.workspaces.create(actor, { folder })).rejects.toMatchObject({ field: 'folder' })
    const project = inside(ours, 'project')
    expect((await u.segno.workspaces.create(admin, { folder: project })).folder).toBe(project)
  })
})

describe('the owner of the machine', () => {
  test("may name any folder that is neither the system's, nor Segno's, nor another tenant's", async () => {
    const others = tempFolder()
    const u = await segnoUnderTest(rootsOf({ rival: [others] }))
    const anywhere = tempFolder()
    expect((await u.segno.workspaces.create(LOCAL_OWNER, { folder: anywhere })).folder).toBe(anywhere)
    for (const folder of [...(await forbidden(u)), others, inside(others, 'deep')])
      await expect(u.segno.workspaces.create(LOCAL_OWNER, { folder }), folder).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        field: 'folder',
      })
  })

  test('is the person at this machine, not who holds a key with the same name', async () => {
    const u = await segnoUnderTest()
    const folder = tempFolder()
    await expect(u.segno.workspaces.create(ownersKey, { folder })).rejects.toMatchObject({ field: 'folder' })
    const { id } = await u.segno.workspaces.create(LOCAL_OWNER, { folder })
    const other = inside(await systemFolder(u, LOCAL_OWNER), 'project')
    await u.segno.workspaces.change(ownersKey, id, { folder: other })
    await expect(u.segno.workspaces.change(ownersKey, id, { folder })).rejects.toMatchObject({ field: 'folder' })
  })
})

test('through loopback without a key one is the owner of the machine; with a key one is not, whoever it belongs to', async () => {
  const u = await segnoUnderTest()
  const { secret } = await u.segno.keys.add(LOCAL_OWNER, { name: 'first', userId: LOCAL_OWNER.id, role: 'super_admin' })
  const wish = { folder: tempFolder() }
  const withKey = await ask(u, 'POST', '/api/workspaces', wish, { authorization: `Bearer ${secret}` })
  expect(withKey).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  const owned = await ask(u, 'POST', '/api/workspaces', wish)
  expect(owned).toMatchObject({ status: 201, body: { ...wish, folderByOwner: true, instructionsBy: 'owner' } })
})

describe('a folder that is no longer under a root', () => {
  const script = calling({
    look: ['read_file', { path: 'note.txt' }],
    save: ['write_file', { path: 'note.txt', content: 'mine' }],
    list: ['list_files', {}],
    find: ['search_files', { query: 'milk' }],
    sum: ['calculator', { expression: '1+1' }],
  })

  test('is not touched by file tools, which say which setting is meant, while the rest goes on', async () => {
    const ours = tempFolder()
    writeFileSync(join(ours, 'note.txt'), 'buy milk')
    const u = await segnoUnderTest({ ...rootsOf({ acme: [ours] }), builtInTools: true, script })
    const { id } = await u.segno.workspaces.create(admin, { folder: ours, name: 'Ours' })
    expect(await result(u, admin, id, 'look')).toMatchObject({ outcome: 'ok' })
    await u.reopen({ env: {} })
    for (const word of ['look', 'save', 'list', 'find']) {
      const { outcome, content } = await result(u, admin, id, word)
      expect([word, outcome]).toEqual([word, 'refused'])
      expect(content).toContain('SEGNO_FOLDER_ROOTS')
      expect(content).not.toContain('milk')
    }
    expect(readFileSync(join(ours, 'note.txt'), 'utf8')).toBe('buy milk')
    expect((await result(u, admin, id, 'sum')).outcome).toBe('ok')
    expect(await u.segno.sessions.list(admin)).toMatchObject({ items: expect.any(Array) as unknown[] })
    await u.reopen(rootsOf({ acme: [ours] }))
    expect(await result(u, admin, id, 'look')).toMatchObject({ outcome: 'ok' })
  })

  test('because it became a link is not touched either', async () => {
    const ours = tempFolder()
    const project = inside(ours, 'project')
    const secret = tempFolder()
    writeFileSync(join(secret, 'note.txt'), 'Zanzibar')
    const u = await segnoUnderTest({ ...rootsOf({ acme: [ours] }), builtInTools: true, script })
    const { id } = await u.segno.workspaces.create(admin, { folder: project })
    renameSync(project, join(ours, 'moved'))
    symlinkSync(secret, project)
    for (const word of ['look', 'save', 'list', 'find']) {
      const { outcome, content } = await result(u, admin, id, word)
      expect([word, outcome]).toEqual([word, 'refused'])
      expect(content).not.toContain('Zanzibar')
    }
    expect(readFileSync(join(secret, 'note.txt'), 'utf8')).toBe('Zanzibar')
  })

  test('is not given to a tool of the embedder that asks for it', async () => {
    const ours = tempFolder()
    const seen: string[] = []
    const tools = [
      {
        name: 'where',
        description: 'says where it works',
        input: { type: 'object' as const },
        effect: 'pure' as const,
        run: (_: unknown, ctx: { readonly folder: string }) => void seen.push(ctx.folder),
      },
      {
        name: 'hello',
        description: 'says hello',
        input: { type: 'object' as const },
        effect: 'pure' as const,
        run: () => 'hi',
      },
    ]
    const own = calling({ where: ['where', {}], hello: ['hello', {}] })
    const u = await segnoUnderTest({ ...rootsOf({ acme: [ours] }), tools, script: own })
    const { id } = await u.segno.workspaces.create(admin, { folder: ours })
    await result(u, admin, id, 'where')
    await u.reopen({ env: {} })
    expect(await result(u, admin, id, 'where')).toMatchObject({
      outcome: 'error',
      content: expect.stringContaining('SEGNO_FOLDER_ROOTS') as string,
    })
    expect((await result(u, admin, id, 'hello')).outcome).toBe('ok')
    expect(seen).toEqual([ours])
  })
})
