import { randomBytes } from 'node:crypto'
import { sha256 } from '../lib/hash.ts'

export interface SecretKey {
  /** says which key it is, and nothing about it */
  readonly id: string
  readonly bytes: Buffer
}

const KEY_BYTES = 32
const ID_CHARS = 16
const LINE = /^[A-Za-z0-9+/]{43}=$/

const HEADER =
  '# The keys of the secrets that Segno has stored, newest first. Keep a copy apart from backups of the database.'

export const newSecretKey = (): SecretKey => keyOf(randomBytes(KEY_BYTES))

/** The keys of a key file, one a line; undefined if it holds anything else, or none. */
export function parseKeys(text: string): readonly SecretKey[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length === 0 || !lines.every((line) => LINE.test(line))) return undefined
  return lines.map((line) => keyOf(Buffer.from(line, 'base64')))
}

export const writeKeys = (keys: readonly SecretKey[]): string =>
  [HEADER, ...keys.map(({ bytes }) => bytes.toString('base64')), ''].join('\n')

function keyOf(bytes: Buffer): SecretKey {
  const id = sha256(Buffer.concat([Buffer.from('segno secret key '), bytes])).slice(0, ID_CHARS)
  return { id, bytes }
}
