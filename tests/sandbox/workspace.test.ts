import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFile } from '../../src/tool/local/read-file.ts'
import { onEveryPlace } from './support/on-every-place.ts'

await onEveryPlace((place, variant) => {
  const run = (command: string, folder = place.folder) => place.runner.run(command, folder)
  const at = (path: string): string => join(place.folder, path)

  test('commands, Segno and later commands change and remove the same files', async () => {
    await run(
      'mkdir -p deep/er && echo one >deep/er/file && mkdir closed && chmod 000 closed && chmod 600 deep/er/file',
    )
    expect(readFileSync(at('deep/er/file'), 'utf8')).toBe('one\n')
    writeFileSync(at('deep/er/file'), 'two\n')
    mkdirSync(at('mine'))
    writeFileSync(at('mine/file'), 'three\n', { mode: 0o600 })
    if (variant.uid !== undefined)
      for (const path of ['mine', 'mine/file']) chownSync(at(path), variant.uid, variant.uid)
    const { text } = await run('cat deep/er/file mine/file && echo four >mine/file && rm -r deep closed && ls')
    expect(text).toBe('two\nthree\nmine\n')
    expect(readFileSync(at('mine/file'), 'utf8')).toBe('four\n')
    rmSync(at('mine'), { recursive: true })
  })

  test('files belong to the user that runs Segno, or to one without rights where that is root', async () => {
    await run('touch made')
    const { uid } = statSync(at('made'))
    if (place.uid === 0) expect(uid).not.toBe(0)
    else expect(uid).toBe(place.uid)
  })

  test('a link planted by a command leads neither file tools nor the next command outside', async () => {
    await run(`ln -sfn ${place.outside} out; ln -sfn ${place.outside}/secret.txt leak`)
    const ctx = { folder: place.folder, signal: new AbortController().signal } as never
    for (const path of ['leak', 'out/secret.txt']) {
      await expect((async () => readFile.run({ path }, ctx))()).rejects.toThrow('outside the folder')
    }
    expect((await run('cat leak out/secret.txt; echo x >leak; echo x >out/new')).text).not.toContain('secret\n')
    expect(readFileSync(join(place.outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  test('folders that turn into links while the next command starts change nothing outside', async () => {
    const before = lstatSync(join(place.outside, 'secret.txt'))
    const swapping = place.runner.start(
      `mkdir d; echo started; while :; do mv d e; ln -s ${place.outside} d; rm d; mv e d; done`,
      place.folder,
      20_000,
    )
    await swapping.started
    for (let count = 0; count < 5; count += 1) await run('ls d/secret.txt; touch d/new')
    swapping.cancel()
    await swapping.ended
    const after = lstatSync(join(place.outside, 'secret.txt'))
    expect([after.uid, after.gid, after.mode, after.ctimeMs]).toEqual([
      before.uid,
      before.gid,
      before.mode,
      before.ctimeMs,
    ])
    expect(lstatSync(place.outside).uid).toBe(place.uid)
  })

  test('nothing changes its owner in a folder that is under no root for workspaces', async () => {
    const free = join(place.outside, 'free')
    mkdirSync(join(free, 'deep'), { recursive: true })
    writeFileSync(join(free, 'deep/file'), 'one')
    const { text } = await run('cat deep/file', free)
    expect(text).toBe('one')
    const owners = [free, join(free, 'deep'), join(free, 'deep/file')].map((path) => lstatSync(path).uid)
    expect(new Set(owners)).toEqual(new Set([process.getuid?.()]))
    chmodSync(free, 0o700)
    if (place.uid === 0) await expect(run('true', free)).rejects.toThrow('SEGNO_FOLDER_ROOTS')
    rmSync(free, { recursive: true })
  })

  test('no command runs in a folder whose place a link has taken', async () => {
    const link = join(place.outside, 'link')
    symlinkSync(place.folder, link)
    await expect(run('touch through', link)).rejects.toThrow('no longer where it was')
    expect(readdirSync(place.folder)).not.toContain('through')
    rmSync(link)
  })

  test.each(['/', '/etc', '/usr', '/proc/self', '/root', '/tmp', '/var/lib'])(
    'refuses %s as a workspace',
    async (folder) => {
      await expect(run('true', folder)).rejects.toThrow(/belongs to the system|does not exist/)
    },
  )

  test("refuses a workspace that holds Segno's own data", async () => {
    await expect(run('true', join(place.home, '..'))).rejects.toThrow("Segno's own data")
    await expect(run('true', place.home)).rejects.toThrow("Segno's own data")
    await expect(run('true', join(place.home, 'gone'))).rejects.toThrow('does not exist')
  })
})
