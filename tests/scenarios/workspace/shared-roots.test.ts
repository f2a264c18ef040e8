import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_TENANT } from '../../../src/contract/actor.ts'
import { SYSTEM_WORKSPACE } from '../../../src/contract/workspace.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { AccountStore, ChangedArea } from '../../../src/store/index.ts'
import { createWorkspaces } from '../../../src/workspace/index.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { tempFolder } from './support.ts'

const MARKER = '.segno-cluster'
const CLUSTER = 'the-cluster'

/** Nodes of a cluster, each with a folder of its own or that of another one. */
async function stage() {
  const stored = await openStoreOf(tempFolder())
  onTestFinished(() => stored.close())
  const listeners: ((area: ChangedArea) => void)[] = []
  const onChange: AccountStore['onChange'] = (listener) => {
    listeners.push(listener)
    return () => {}
  }
  let living = 0
  return {
    /** What every node is told within two seconds. */
    tellAll() {
      for (const listener of listeners) listener('shared-folders')
    },
    die: () => void (living -= 1),
    node(folder = tempFolder(), cluster = CLUSTER) {
      living += 1
      const workspaces = createWorkspaces(
        { ...stored, onChange },
        {
          home: tempFolder(),
          folder,
          roots: new Map(),
          clock: systemClock,
          checkModel: () => {},
          mcpServers: [],
          leastEveryMs: 1,
          checkContext: async () => {},
          sharedBy: { id: cluster, hasOthers: async () => living > 1 },
        },
      )
      return { folder, look: () => workspaces.folder(LOCAL_TENANT, SYSTEM_WORKSPACE) }
    },
  }
}

const refused = (why: RegExp) => ({ refused: expect.stringMatching(why) as string })

verifies('REL-7', 'a node whose folder is not the one of the others may not touch files there', async () => {
  const { node } = await stage()
  const one = node()
  const [same, other] = [node(one.folder), node()]
  expect([await one.look(), await same.look()]).toEqual([{ path: one.folder }, { path: one.folder }])
  expect(await other.look()).toEqual(refused(/is not the folder that the other nodes .* Mount the shared file system/))
  expect(await one.look()).toEqual({ path: one.folder })
  expect(readFileSync(join(one.folder, MARKER), 'utf8')).toContain(CLUSTER)
})

test('a node alone has nothing to prove, and a folder that was used before it is not taken for its own', async () => {
  const { node, die, tellAll } = await stage()
  const first = node()
  expect(await first.look()).toEqual({ path: first.folder })
  die()
  const next = node()
  expect(await next.look()).toEqual({ path: next.folder })
  const back = node(first.folder)
  expect(await back.look()).toEqual(refused(/is not the folder/))
  tellAll()
  expect(await first.look(), 'one that was away and did not notice').toEqual(refused(/is not the folder/))
})

test('a marker that somebody removed is put back, in the same folder only', async () => {
  const { node } = await stage()
  const [one] = [node(), node()]
  await one.look()
  rmSync(join(one.folder, MARKER))
  expect(await one.look()).toEqual({ path: one.folder })
  expect(readFileSync(join(one.folder, MARKER), 'utf8')).toContain(CLUSTER)
  renameSync(one.folder, `${one.folder}-gone`)
  onTestFinished(() => rmSync(`${one.folder}-gone`, { recursive: true }))
  mkdirSync(one.folder)
  expect(await one.look()).toEqual(refused(/is not the folder/))
})

test('a folder of another cluster is left alone', async () => {
  const { node } = await stage()
  const one = node()
  await one.look()
  expect(await (await stage()).node(one.folder, 'another').look()).toEqual(refused(/belongs to another cluster/))
  expect(await one.look()).toEqual({ path: one.folder })
})

test('what a command puts in the place of the marker is not followed', async () => {
  const { node } = await stage()
  const one = node()
  const secret = join(tempFolder(), 'secret')
  writeFileSync(secret, 'untouched')
  symlinkSync(secret, join(one.folder, MARKER))
  expect(await one.look()).toEqual({ path: one.folder })
  expect(readFileSync(secret, 'utf8')).toBe('untouched')
})

test('where the marker cannot be written, only a node alone goes on', async () => {
  const { node } = await stage()
  const one = node()
  mkdirSync(join(one.folder, MARKER))
  writeFileSync(join(one.folder, MARKER, 'full'), '')
  expect(await one.look()).toEqual({ path: one.folder })
  node()
  expect(await one.look()).toEqual(refused(/cannot be written .* Let Segno write there/))
})
