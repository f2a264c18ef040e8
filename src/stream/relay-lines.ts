import type { Dropped, Frame } from './frame.ts'

/** What a node sends to another about a session it owns, one line of JSON each; an empty line is a heartbeat. */
export type RelayLine =
  | Exclude<Frame, Dropped>
  | { readonly kind: 'attached' }
  /** instead of an event that is too long for a line */
  | { readonly kind: 'stored'; readonly head: number }

const LINE_CHARS = 1_000_000

export function lineOf(frame: Exclude<Frame, Dropped>): string {
  if (frame.kind === 'pulse') return written(frame)
  const { event } = frame
  const line = written({ kind: 'event', event })
  return line.length <= LINE_CHARS ? line : written({ kind: 'stored', head: event.seq })
}

const written = (line: RelayLine): string => `${JSON.stringify(line)}\n`

export const ATTACHED_LINE = written({ kind: 'attached' })
export const BEAT_LINE = '\n'

/** Rejects if a line is too long or not JSON. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<RelayLine[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const text = rest + decoder.decode(bytes, { stream: true })
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (rest.length > LINE_CHARS) throw new Error('a line of another node is too long')
    yield text
      .slice(0, end)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as RelayLine)
  }
}
