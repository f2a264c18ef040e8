import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keyFile } from './key-file.ts'
import { newSecretKey, writeKeys } from './secret-key.ts'

function place(): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'segno-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { folder, path: join(folder, 'secret.key') }
}

test('there is none until it is made, for its owner alone', async () => {
  const { folder, path } = place()
  const file = keyFile(join(path, '..', 'deep', 'secret.key'))
  expect(await file.read()).toBeUndefined()
  const keys = await file.make()
  expect(keys).toHaveLength(1)
  expect(await file.read()).toEqual(keys)
  expect(statSync(join(folder, 'deep', 'secret.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'deep'))).toEqual(['secret.key'])
})

test('everybody who makes it at the same moment gets the same key', async () => {
  const { folder, path } = place()
  const made = await Promise.all(Array.from({ length: 20 }, () => keyFile(path).make()))
  expect(new Set(made.map(([key]) => key?.id)).size).toBe(1)
  expect(readdirSync(folder)).toEqual(['secret.key'])
})

test('it is replaced in one step, whatever an earlier attempt has left', async () => {
  const { folder, path } = place()
  const file = keyFile(path)
  const earlier = await file.make()
  writeFileSync(`${path}.new`, 'half')
  const next = [newSecretKey(), ...earlier]
  await file.replace(next)
  expect(await file.read()).toEqual(next)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['secret.key'])
})

test.each([0o644, 0o640, 0o604, 0o660])('one that others can read (%o) is refused, with what to do', async (mode) => {
  const { path } = place()
  await keyFile(path).make()
  chmodSync(path, mode)
  await expect(keyFile(path).read()).rejects.toMatchObject({
    code: 'SECRET_KEY_ERROR',
    message: expect.stringMatching(/can be read by others.*chmod 600/) as string,
  })
})

test.each([
  ['rubbish', (path: string) => writeFileSync(path, 'rubbish', { mode: 0o600 }), 'holds no keys'],
  ['nothing', (path: string) => writeFileSync(path, '', { mode: 0o600 }), 'holds no keys'],
  ['far too much', (path: string) => writeFileSync(path, 'a'.repeat(70_000), { mode: 0o600 }), 'is larger than'],
  ['a folder', (path: string) => mkdirSync(path), 'is not a file'],
])('one with %s is refused, and neither its words nor its place are told', async (_, put, why) => {
  const { path, folder } = place()
  put(path)
  const failure = await keyFile(path)
    .make()
    .catch((error: unknown) => error as Error & { code: string })
  expect(failure).toMatchObject({ code: 'SECRET_KEY_ERROR', message: expect.stringContaining(why) as string })
  expect((failure as Error).message).not.toContain(folder)
  expect((failure as Error).message).not.toContain('rubbish')
})

test('keys by hand count too, with comments and blank lines', async () => {
  const { path } = place()
  const keys = [newSecretKey(), newSecretKey()]
  writeFileSync(path, `\n# mine\r\n${writeKeys(keys).replaceAll('\n', '\r\n')}`, { mode: 0o600 })
  expect(await keyFile(path).read()).toEqual(keys)
})
