import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE_BYTES = 8

/** The same picture in fewer bytes: browsers pack their screenshots quickly rather than well. */
export function shrinkPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const image = chunk('IDAT', deflateSync(inflateSync(packed), { level: 9, memLevel: 9 }))
  const first = chunks.findIndex(({ type }) => type === 'IDAT')
  const others = chunks.filter(({ type }) => type !== 'IDAT').map(({ type, data }) => chunk(type, data))
  return Buffer.concat([png.subarray(0, SIGNATURE_BYTES), ...others.slice(0, first), image, ...others.slice(first)])
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
