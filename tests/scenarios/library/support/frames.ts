import { expect } from 'vitest'
import type { Frame } from '../../../../src/stream/index.ts'
import type { StoredEvent } from '../../../../src/contract/event.ts'
import type { SegnoUnderTest } from '../../../support/segno-under-test.ts'

/** All frames until the source ends, or the first for which `isLast` holds. */
export async function framesOf(source: AsyncIterable<Frame>, isLast = (_: Frame) => false): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const frame of source) {
    frames.push(frame)
    if (isLast(frame)) break
  }
  return frames
}

/** What somebody sees of a round who followed before it: its message is sent when the first frame has come. */
export async function* roundFromBefore(
  { segno, sessionId, send }: SegnoUnderTest,
  options: { readonly outputs?: boolean } = {},
): AsyncGenerator<Frame> {
  let isSent = false
  for await (const frame of segno.follow(sessionId, options)) {
    if (!isSent) await send()
    isSent = true
    yield frame
    if (isEvent('round.ended')(frame)) return
  }
}

export const eventsIn = (frames: readonly Frame[]): StoredEvent[] =>
  frames.flatMap((frame) => (frame.kind === 'event' ? [frame.event] : []))

export const seqsIn = (frames: readonly Frame[]): number[] => eventsIn(frames).map((event) => event.seq)

export const isEvent =
  (type: StoredEvent['type']) =>
  (frame: Frame): boolean =>
    frame.kind === 'event' && frame.event.type === type

export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

export const textOf = (event: StoredEvent): string =>
  event.type === 'message.assistant'
    ? event.data.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    : ''

/**
 * A client that keeps nothing but what it was shown. It fails on a delta that leaves a gap, repeats something, splits
 * a character, or comes after the message that contains it.
 */
export class WatchingClient {
  readonly seqs: number[] = []
  #texts = new Map<number, string>()
  #told = new Set<number>()

  see(frame: Frame): void {
    if (frame.kind === 'event') return this.#seeEvent(frame.event)
    if (frame.kind === 'dropped') expect.unreachable('a client that keeps up is never dropped')
    const { pulse } = frame
    expect(this.#told, `turn ${pulse.turn} is already in the log`).not.toContain(pulse.turn)
    if (pulse.type === 'reset') this.#texts.delete(pulse.turn)
    else if (pulse.kind === 'text') {
      const before = this.#texts.get(pulse.turn) ?? ''
      expect(pulse.offset, `delta of turn ${pulse.turn}`).toBe(before.length)
      expect(pulse.text.isWellFormed()).toBe(true)
      this.#texts.set(pulse.turn, before + pulse.text)
    }
  }

  /** The connection is gone: text that was only shown live will be shown again from its beginning. */
  reconnect(): void {
    this.#texts.clear()
  }

  get last(): number {
    return this.seqs.at(-1) ?? 0
  }

  #seeEvent(event: StoredEvent): void {
    this.seqs.push(event.seq)
    if (event.type !== 'message.assistant') return
    const shown = this.#texts.get(event.data.turn)
    if (shown !== undefined) expect(shown).toBe(textOf(event))
    this.#told.add(event.data.turn)
  }
}
