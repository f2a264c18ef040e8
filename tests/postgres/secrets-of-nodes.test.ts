import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'
import { startNode, type TestNode } from '../support/postgres/start-nodes.ts'
import { verifies } from '../support/verifies.ts'

const CLAUDE = { kind: 'anthropic', key: 'sk-of-nodes-0123456789' }

/** A database, and a folder with the key file of each node. */
async function place() {
  const { url: database, giveBack } = await reusedDatabase()
  onTestFinished(giveBack)
  const folder = mkdtempSync(join(tmpdir(), 'segno-nodes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (name: string): string => join(folder, `${name}.key`)
  const node = (name?: string): Promise<TestNode> =>
    startNode({ database, ...(name !== undefined && { env: { SEGNO_SECRET_KEY_FILE: file(name) } }) })
  return { file, node }
}

const set = ({ segno }: TestNode, name = 'anthropic') => segno.providers.set(LOCAL_OWNER, name, CLAUDE)
const names = async ({ segno }: TestNode): Promise<string[]> =>
  (await segno.providers.list(LOCAL_OWNER)).map(({ name }) => name)
const missingIn = async ({ segno }: TestNode): Promise<string | undefined> =>
  (await segno.models()).find(({ key }) => key === 'claude-sonnet')?.missing

describe('the key file of nodes', () => {
  test('must be named before a secret can be stored, and not before', async () => {
    const { node } = await place()
    const one = await node()
    await expect(set(one)).rejects.toMatchObject({
      code: 'SECRET_KEY_ERROR',
      message: expect.stringContaining('SEGNO_SECRET_KEY_FILE is not set') as string,
    })
    expect(await names(one)).toEqual([])
  })

  verifies('REL-7', 'must have the key of the others, or a node does not start and says what to do', async () => {
    const { node, file } = await place()
    await set(await node('one'))
    writeFileSync(file('other'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
    for (const wrong of [undefined, 'absent', 'other'])
      await expect(node(wrong)).rejects.toMatchObject({
        code: 'CONFIG_ERROR',
        message: expect.stringMatching(/^Segno cannot start: .*SEGNO_SECRET_KEY_FILE/) as string,
      })
    copyFileSync(file('one'), file('other'))
    await expect(node('other')).resolves.toBeDefined()
  })

  test('of a node that has none yet is not made beside the key of the others', async () => {
    const { node, file } = await place()
    const [one, other] = [await node('one'), await node('other')]
    await set(one)
    await expect(set(other, 'second')).rejects.toMatchObject({ code: 'SECRET_KEY_ERROR' })
    copyFileSync(file('one'), file('other'))
    await expect(set(other, 'second')).resolves.toMatchObject({ hasKey: true })
  })
})

describe('what one node sets', () => {
  verifies('REL-7', 'can be used on the others, and is gone there when it is removed', async () => {
    const { node } = await place()
    const [one, other] = [await node('same'), await node('same')]
    expect(await missingIn(other)).toBeDefined()
    await set(one)
    await vi.waitFor(async () => expect(await missingIn(other)).toBeUndefined(), { timeout: 10_000, interval: 50 })
    await one.segno.providers.remove(LOCAL_OWNER, 'anthropic')
    await vi.waitFor(async () => expect(await missingIn(other)).toBeDefined(), { timeout: 10_000, interval: 50 })
  })
})

describe('a new key', () => {
  verifies('REL-7', 'is put into the file of every node first, and used by all of them from then on', async () => {
    const { node, file } = await place()
    const one = await node('one')
    await set(one)
    copyFileSync(file('one'), file('other'))
    const other = await node('other')
    await expect(one.segno.secrets.rotate(LOCAL_OWNER)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('key file of every node') as string,
    })
    const added = `${Buffer.alloc(32, 9).toString('base64')}\n`
    for (const name of ['one', 'other']) writeFileSync(file(name), added + readFileSync(file(name), 'utf8'))
    expect(await one.segno.secrets.rotate(LOCAL_OWNER)).toMatchObject({ secrets: 1, keepsEarlier: false })
    await expect(set(other, 'second')).resolves.toMatchObject({ hasKey: true })
    await vi.waitFor(async () => expect(await names(one)).toEqual(['anthropic', 'second']), { timeout: 10_000 })
    for (const each of [one, other])
      for (const view of await each.segno.providers.list(LOCAL_OWNER)) expect(view.missing).toBeUndefined()
  })
})
