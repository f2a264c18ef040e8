import { readdir, rename, symlink, unlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/message.ts'
import type { Tool } from '../../contract/tool.ts'
import { inFolder } from './in-folder.ts'
import { listFiles } from './list-files.ts'
import { readFile } from './read-file.ts'
import { searchFiles } from './search-files.ts'
import { workspace, type Workspace } from './workspace.suite.ts'
import { writeFile } from './write-file.ts'

const CALLS: readonly (readonly [Tool, JsonObject])[] = [
  [readFile, { path: 'secret.txt' }],
  [listFiles, {}],
  [searchFiles(), { query: 'secret' }],
  [writeFile, { path: 'new.txt', content: 'escaped' }],
  [writeFile, { path: 'deep/new.txt', content: 'escaped', mode: 'create' }],
  [writeFile, { path: 'secret.txt', content: 'escaped', mode: 'append' }],
]

/** What came back, or why nothing did. */
const said = ({ run }: Workspace, [tool, args]: (typeof CALLS)[number]): Promise<string> =>
  run(tool, args).catch((error: unknown) => `refused: ${(error as Error).message}`)

test('a folder that became a link after it was looked at is not the folder any more', async () => {
  const place = await workspace()
  await rename(place.folder, `${place.folder}-moved`)
  await symlink(place.outside, place.folder)
  for (const call of CALLS) expect(await said(place, call), call[0].name).toMatch(/^refused: /)
  expect(await readdir(place.outside)).toEqual(['secret.txt'])
})

test('what is opened is where the check found it, or nothing is', async () => {
  const { folder, outside } = await workspace()
  const { signal } = new AbortController()
  expect(await inFolder(folder, folder, (base) => readdir(base), { signal })).toEqual([])
  await rename(folder, `${folder}-moved`)
  await symlink(outside, folder)
  await expect(inFolder(folder, folder, (base) => readdir(base), { signal })).rejects.toThrow('no longer inside')
})

test('nothing elsewhere is read or written while the folder is swapped for a link and back', async () => {
  const place = await workspace({ 'own.txt': 'mine' })
  const { folder, outside } = place
  const swapper = { on: true }
  const swap = (async () => {
    while (swapper.on) {
      await rename(folder, `${folder}-moved`)
      await symlink(outside, folder)
      await unlink(folder)
      await rename(`${folder}-moved`, folder)
    }
  })()
  const heard: string[] = []
  for (let n = 0; n < 50; n += 1) for (const call of CALLS.slice(0, 5)) heard.push(await said(place, call))
  swapper.on = false
  await swap
  // The words of a refusal and of a search that found nothing name what was asked for, and no more.
  expect(heard.filter((text) => /^(secret$|secret\.txt)/m.test(text))).toEqual([])
  expect(await readdir(outside)).toEqual(['secret.txt'])
})
