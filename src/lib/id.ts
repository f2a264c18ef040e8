import { randomBytes } from 'node:crypto'
import { sha256 } from './hash.ts'

// Random digits are drawn in bulk, because one system call serves hundreds of ids.
const POOL_BYTES = 4096
let pool = ''
let used = 0
let lastMs = 0
let time = ''
let counter = 0

/** Fewer than 13 at a time, because a longer slice keeps the whole string in memory. */
function randomDigits(count: number): string {
  if (used + count > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex')
    used = 0
  }
  used += count
  return pool.slice(used - count, used)
}

function setTime(ms: number): void {
  lastMs = ms
  const digits = ms.toString(16).padStart(12, '0')
  time = `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/**
 * UUID version 7, strictly growing within this process: a 12-bit counter within a millisecond, and if that overflows or
 * the clock goes back, the time runs ahead.
 */
export function newId(now: number = Date.now()): string {
  if (now > lastMs) {
    setTime(now)
    counter = Number.parseInt(randomDigits(3), 16) & 0x7ff
  } else if (++counter > 0xfff) {
    setTime(lastMs + 1)
    counter = 0
  }
  const variant = '89ab'[Number.parseInt(randomDigits(1), 16) & 3]
  return `${time}-${(0x7000 + counter).toString(16)}-${variant}${randomDigits(3)}-${randomDigits(12)}`
}

/** The same id (UUID version 8) for the same key, so that making something twice makes it once. */
export function idFrom(key: string): string {
  const digits = sha256(key)
  const variant = '89ab'[Number.parseInt(digits.slice(16, 17), 16) & 3]
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
  ]
  return `${parts.join('-')}-${digits.slice(20, 32)}`
}
