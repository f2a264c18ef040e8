import type { Protocol } from '../../../src/contract/outcome.ts'
import type { Dice } from '../../crash/dice.ts'
import type { Recording } from '../read-recording.ts'
import { framesOf } from '../sse.ts'

/** Where a stream is cut, and how: the response ends as if it were over, or the connection is gone. */
interface Cut {
  readonly bytes: number
  readonly ending: 'end' | 'close'
}

/** What the provider does with the turn: it cuts it once or twice, then it answers. */
export interface CutCase {
  readonly recording: Recording
  readonly protocol: Protocol
  readonly cuts: readonly Cut[]
  readonly afterwards: 'recording' | 'ordinary'
}

/** A recording as bytes, and where its frames end. */
export interface Bytes {
  readonly all: Buffer
  readonly ends: readonly number[]
}

const known = new WeakMap<Recording, Bytes>()

export function bytesOf(recording: Recording): Bytes {
  let bytes = known.get(recording)
  if (!bytes) {
    const frames = framesOf(recording)
    let end = 0
    const ends = frames.map((frame) => (end += frame.length))
    known.set(recording, (bytes = { all: Buffer.concat(frames), ends }))
  }
  return bytes
}

/** Each boundary between chunks, in both protocols: before the first, and after each. */
export function boundaryCuts(recording: Recording, dice: Dice): CutCase[] {
  return [0, ...bytesOf(recording).ends].flatMap((bytes) =>
    (['unified', 'triggered'] as const).map((protocol) => aCase(recording, protocol, bytes, dice)),
  )
}

/** So many places anywhere, or all of them where there are no more; half of characters first. */
export function byteCuts(recording: Recording, count: number, dice: Dice): CutCase[] {
  const { all } = bytesOf(recording)
  const places = dice.shuffled([...all.keys()])
  const halves = places.filter((at) => isInside(all[at])).slice(0, count / 4)
  return [...new Set([...halves, ...places])]
    .slice(0, count)
    .map((bytes) => aCase(recording, dice.oneOf(['unified', 'triggered']), bytes, dice))
}

function aCase(recording: Recording, protocol: Protocol, bytes: number, dice: Dice): CutCase {
  const { all } = bytesOf(recording)
  const ending = (): Cut['ending'] => dice.oneOf(['end', 'close'])
  const again = dice.between(1, 4) === 1 ? [{ bytes: dice.between(0, all.length - 1), ending: ending() }] : []
  return {
    recording,
    protocol,
    cuts: [{ bytes, ending: ending() }, ...again],
    afterwards: dice.oneOf(['recording', 'ordinary']),
  }
}

/** Is this byte the second or a later one of a character? */
const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
