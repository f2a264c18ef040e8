import { crc32, deflateSync, inflateSync } from 'node:zlib'

/**
 * The same picture with at most 256 colours, in a third of the bytes. For screenshots, which have few colours and many
 * shades of them at the edges of letters.
 */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, depth, pixels } = decode(png)
  const colours = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += depth) {
    const colour = pixels.readUIntBE(at, 3)
    colours.set(colour, (colours.get(colour) ?? 0) + 1)
  }
  const palette = [...colours.keys()].sort((a, b) => (colours.get(b) ?? 0) - (colours.get(a) ?? 0)).slice(0, 256)
  const places = new Map([...colours.keys()].map((colour) => [colour, nearest(colour, palette)]))
  // Each line begins with the number of its filter: none.
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      lines[y * (width + 1) + x + 1] = places.get(pixels.readUIntBE((y * width + x) * depth, 3)) ?? 0

  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [...parts(colour)]))),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const parts = (colour: number): readonly [number, number, number] => [colour >> 16, (colour >> 8) & 255, colour & 255]

function nearest(colour: number, palette: readonly number[]): number {
  const [r, g, b] = parts(colour)
  let found = 0
  let least = Infinity
  for (const [place, other] of palette.entries()) {
    const [r2, g2, b2] = parts(other)
    const distance = (r - r2) ** 2 + (g - g2) ** 2 + (b - b2) ** 2
    if (distance < least) [found, least] = [place, distance]
  }
  return found
}

/** What a browser writes: 8 bits, RGB or RGBA, not interlaced. */
function decode(png: Buffer) {
  const packed: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const depth = png[25] === 6 ? 4 : 3
  const lines = inflateSync(Buffer.concat(packed))
  const row = width * depth
  const pixels = Buffer.alloc(row * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < row; x++) {
      const at = y * row + x
      const left = x < depth ? 0 : (pixels[at - depth] ?? 0)
      const above = y === 0 ? 0 : (pixels[at - row] ?? 0)
      const corner = x < depth || y === 0 ? 0 : (pixels[at - row - depth] ?? 0)
      pixels[at] = (lines[y * (row + 1) + 1 + x] ?? 0) + predicted(lines[y * (row + 1)] ?? 0, left, above, corner)
    }
  return { width, height, depth, pixels }
}

/** The filters of PNG. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
