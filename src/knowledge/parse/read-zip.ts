import { inflateRawSync } from 'node:zlib'
import { DocumentFault } from './document-fault.ts'

const END = { mark: 0x06054b50, length: 22, longestComment: 0xffff }
const ENTRY = { mark: 0x02014b50, length: 46 }
const LOCAL = { mark: 0x04034b50, length: 30 }
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8

/**
 * The wanted entries of a zip, unpacked. It stops as soon as they have more than `most` bytes together, whatever the zip
 * says about their sizes.
 */
export function readZip(zip: Buffer, isWanted: (name: string) => boolean, most: number): Map<string, Buffer> {
  const entries = new Map<string, Buffer>()
  const end = endOf(zip)
  let room = most
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY.mark) throw new DocumentFault('broken')
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + ENTRY.length, at + ENTRY.length + nameLength)
    if (isWanted(name)) {
      const content = unpack(zip, at, room)
      room -= content.length
      entries.set(name, content)
    }
    at += ENTRY.length + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

/** Where the list of entries is described: at the very end, but for a comment. */
function endOf(zip: Buffer): number {
  const first = Math.max(0, zip.length - END.length - END.longestComment)
  for (let at = zip.length - END.length; at >= first; at -= 1) if (zip.readUInt32LE(at) === END.mark) return at
  throw new DocumentFault('broken')
}

function unpack(zip: Buffer, entry: number, room: number): Buffer {
  if ((zip.readUInt16LE(entry + 8) & ENCRYPTED) !== 0) throw new DocumentFault('encrypted')
  const method = zip.readUInt16LE(entry + 10)
  const packedSize = zip.readUInt32LE(entry + 20)
  const local = zip.readUInt32LE(entry + 42)
  if (zip.readUInt32LE(local) !== LOCAL.mark) throw new DocumentFault('broken')
  const from = local + LOCAL.length + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const packed = zip.subarray(from, from + packedSize)
  if (packed.length !== packedSize) throw new DocumentFault('broken')
  if ((method === STORED ? packedSize : zip.readUInt32LE(entry + 24)) > room) throw new DocumentFault('unpacked')
  if (method === STORED) return packed
  if (method !== DEFLATED) throw new DocumentFault('broken')
  try {
    // zlib wants room for at least one byte.
    const content = inflateRawSync(packed, { maxOutputLength: room + 1 })
    if (content.length <= room) return content
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw new DocumentFault('broken')
  }
  throw new DocumentFault('unpacked')
}
