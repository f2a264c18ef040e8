import type { Hub } from './hub.ts'
import { ATTACHED_LINE, BEAT_LINE, lineOf } from './relay-lines.ts'

export interface NodeStreamOptions {
  /** how many there may be at once */
  readonly most?: number
  /** the time between two heartbeats */
  readonly beatMs?: number
}

const BEAT_MS = 2000

export type NodeStreams = ReturnType<typeof createNodeStreams>

/** Streams to other nodes that follow sessions of this one, one per session and node. */
export function createNodeStreams(hub: Hub, { most = Infinity, beatMs = BEAT_MS }: NodeStreamOptions = {}) {
  let taken = 0

  return {
    /**
     * What happens in a session from now on, after the text so far of a running turn. It ends when that node leaves or is
     * too slow, or the hub is closed. Undefined if there are too many.
     */
    open(sessionId: string): ReadableStream<Uint8Array> | undefined {
      if (taken >= most) return undefined
      taken += 1
      const encoder = new TextEncoder()
      let detach: (() => void) | undefined
      let beat: NodeJS.Timeout

      function leave(): void {
        if (!detach) return
        taken -= 1
        clearInterval(beat)
        detach()
        detach = undefined
      }

      function start(controller: ReadableStreamDefaultController<Uint8Array>): void {
        const say = (text: string): void => controller.enqueue(encoder.encode(text))
        const attached = hub.attachNode(sessionId, () => {
          leave()
          controller.error(new Error('the other node does not keep up'))
        })
        detach = attached.detach
        say(ATTACHED_LINE)
        beat = setInterval(() => say(BEAT_LINE), beatMs)
        pull = async () => {
          const frames = await attached.queue.take()
          if (frames.length > 0)
            return say(frames.map((frame) => (frame.kind === 'dropped' ? '' : lineOf(frame))).join(''))
          // A node that left has closed it itself.
          if (detach) controller.close()
          leave()
        }
      }
      let pull = (): Promise<void> => Promise.resolve()

      return new ReadableStream({ start, pull: () => pull(), cancel: leave }, { highWaterMark: 0 })
    },
  }
}
