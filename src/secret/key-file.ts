import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Problem } from '../contract/problem.ts'
import { newSecretKey, parseKeys, writeKeys, type SecretKey } from './secret-key.ts'

/** The file with the keys, newest first. */
export interface KeyFile {
  /** Undefined if there is no file. */
  read(): Promise<readonly SecretKey[] | undefined>
  /** Makes a file with a new key unless there is one, and reads it. */
  make(): Promise<readonly SecretKey[]>
  /** Replaces all keys in one step. */
  replace(keys: readonly SecretKey[]): Promise<void>
}

/** What the file is called in messages, which may go to clients that need not know paths. */
const NAMED = 'The key file (SEGNO_SECRET_KEY_FILE, or secret.key in SEGNO_HOME)'
const MOST_BYTES = 65_536
const PRIVATE = 0o600
/** Nobody but the owner; a file that root gives to a group, as clusters mount secrets, may be read by that group. */
const OTHERS = 0o077
const OTHERS_OF_ROOTS = 0o037

export function keyFile(path: string): KeyFile {
  async function read(): Promise<readonly SecretKey[] | undefined> {
    const text = await readPrivate(path)
    if (text === undefined) return undefined
    const keys = parseKeys(text)
    if (keys) return keys
    throw fault('holds no keys: expected lines with 32 bytes in base64, as openssl rand -base64 32 makes them')
  }

  return {
    read,
    async make() {
      const there = await read()
      if (there) return there
      const own = `${path}.${randomBytes(8).toString('hex')}.new`
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await write(own, writeKeys([newSecretKey()]))
        // Unlike a rename, this never replaces the file of a process that was faster.
        await link(own, path).catch(unless('EEXIST'))
        await sync(dirname(path))
      } catch (error) {
        throw asProblem(error, 'made')
      } finally {
        await rm(own, { force: true })
      }
      const made = await read()
      if (!made) throw fault('was taken away while it was made; try again')
      return made
    },
    async replace(keys) {
      const next = `${path}.new`
      try {
        await rm(next, { force: true })
        await write(next, writeKeys(keys))
        await rename(next, path)
        await sync(dirname(path))
      } catch (error) {
        throw asProblem(error, 'replaced')
      }
    },
  }
}

/** The text of a file that nobody else can read, undefined if there is none. */
async function readPrivate(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, 'r')
    const stats = await file.stat()
    if (!stats.isFile()) throw fault('is not a file')
    const { mode, uid, size } = stats
    const forbidden = uid === 0 && process.getuid?.() !== 0 ? OTHERS_OF_ROOTS : OTHERS
    if (process.platform !== 'win32' && (mode & forbidden) !== 0)
      throw fault('can be read by others, so its keys may be known; take that right away with chmod 600')
    if (size > MOST_BYTES) throw fault(`is larger than ${MOST_BYTES} bytes, so it is no key file`)
    return await file.readFile('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw asProblem(error, 'read')
  }
}

async function write(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', PRIVATE)
  await file.writeFile(text)
  await file.sync()
}

/** Makes a new name in a folder durable. */
async function sync(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

const unless =
  (code: string) =>
  (error: unknown): void => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error
  }

const fault = (what: string): Problem => new Problem('SECRET_KEY_ERROR', `${NAMED} ${what}.`)

function asProblem(error: unknown, done: string): Problem {
  if (error instanceof Problem) return error
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return new Problem('SECRET_KEY_ERROR', `${NAMED} cannot be ${done} (${code}). Let Segno's user read and write it.`, {
    cause: error,
  })
}
