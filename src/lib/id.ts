import { randomFillSync } from 'node:crypto'

// Random bytes are drawn in bulk: one system call serves hundreds of ids.
const pool = new Uint8Array(4096)
let used = pool.length
let lastMs = 0
let counter = 0

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex = (byte: number): string => HEX[byte & 0xff] as string

function randomByte(): number {
  if (used >= pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool[used++] as number
}

/**
 * UUID version 7, strictly growing within this process: inside one millisecond a 12-bit counter grows, and when it
 * is used up (or the clock steps back) the time field runs ahead instead.
 */
export function newId(now: number = Date.now()): string {
  if (now > lastMs) {
    lastMs = now
    counter = ((randomByte() << 8) | randomByte()) & 0x7ff
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  const high = Math.floor(lastMs / 0x100000000)
  const low = lastMs >>> 0
  return (
    `${hex(high >> 8)}${hex(high)}${hex(low >>> 24)}${hex(low >>> 16)}-${hex(low >>> 8)}${hex(low)}` +
    `-7${(counter >> 8).toString(16)}${hex(counter)}` +
    `-${hex((randomByte() & 0x3f) | 0x80)}${hex(randomByte())}` +
    `-${hex(randomByte())}${hex(randomByte())}${hex(randomByte())}${hex(randomByte())}${hex(randomByte())}${hex(randomByte())}`
  )
}
