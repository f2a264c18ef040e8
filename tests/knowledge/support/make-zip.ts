import { constants, crc32, deflateRawSync } from 'node:zlib'

export interface Entry {
  readonly name: string
  readonly packed: Buffer
  /** what the zip says it unpacks to */
  readonly size: number
  readonly crc?: number
}

export function entry(name: string, text: string): Entry {
  const content = Buffer.from(text)
  return { name, packed: deflateRawSync(content), size: content.length, crc: crc32(content) }
}

/** An entry that unpacks to so many megabytes and says that it has one byte. */
export const bombEntry = (name: string, megabytes: number): Entry => ({ name, packed: packedBomb(megabytes), size: 1 })

/** A megabyte of blanks, packed, over and over; the last block is empty. */
export function packedBomb(megabytes: number): Buffer {
  const one = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([...Array.from({ length: megabytes }, () => one), deflateRawSync(Buffer.alloc(0))])
}

/** A zip file of these entries, all deflated. */
export function makeZip(entries: readonly Entry[], flags = 0): Buffer {
  const files: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { name, packed, size, crc = 0 } of entries) {
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed])
    const more = Buffer.alloc(14)
    more.writeUInt32LE(offset, 10)
    list.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, more, Buffer.from(name)]))
    files.push(file)
    offset += file.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, directory, end])
}
