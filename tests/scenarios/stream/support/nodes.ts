import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { onTestFinished } from 'vitest'
import type { NewEvent, StoredEvent } from '../../../../src/contract/event.ts'
import type { Pulse } from '../../../../src/contract/pulse.ts'
import {
  createHub,
  follow,
  oneByOne,
  createNodeStreams,
  type Frame,
  type FollowOptions,
} from '../../../../src/stream/index.ts'
import { openForNodes } from '../../../support/sqlite-nodes.ts'
import type { SessionWriter } from '../../../conformance/store/session-writer.ts'

type Delta = Extract<Pulse, { type: 'delta' }>

/** Several hubs on one open file, each with a server where the others follow what it owns. */
export function createNodes(options: { beatMs?: number; silenceMs?: number } = {}) {
  const open = openForNodes({ file: ':memory:', durability: 'normal' })
  const urls = new Map<string, string>()
  const { beatMs = 1000, silenceMs = 5000 } = options

  async function node(id: string, queueChars = 1_000_000) {
    const lease = { until: Infinity }
    const store = open({ id, until: () => lease.until })
    /** connections of other nodes to this one, all that ever were and those that are open */
    const served = { ever: 0, open: new Set<ServerResponse>(), isDown: false }
    async function connect(owner: string, sessionId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
      const answer = await fetch(`${urls.get(owner)}/?session=${sessionId}`, { signal })
      if (answer.status !== 200 || !answer.body) throw new Error('not there')
      return answer.body
    }
    const hub = createHub(store, { queueChars, relay: { connect, silenceMs, retryMs: [5, 50] } })
    const streams = createNodeStreams(hub, { beatMs, most: 3 })
    const server = createServer((request, response) => {
      if (served.isDown) return void request.socket.destroy()
      served.ever += 1
      served.open.add(response)
      response.on('close', () => served.open.delete(response))
      response.flushHeaders()
      const sessionId = new URL(request.url ?? '', 'http://x').searchParams.get('session') ?? ''
      const stream = streams.open(sessionId)
      if (!stream) return void response.destroy()
      pipeline(Readable.fromWeb(stream as import('node:stream/web').ReadableStream), response).catch(() => {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    urls.set(id, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const leaving: (() => Promise<void>)[] = []
    onTestFinished(async () => {
      await Promise.all(leaving.map((leave) => leave()))
      hub.close()
      server.closeAllConnections()
      server.close()
      await store.close()
    })
    return {
      store,
      hub,
      lease,
      served,
      cut: () => served.open.forEach((response) => response.destroy()),
      /** Follows a session here, and keeps what it is told. */
      reader(sessionId: string, more: FollowOptions = {}) {
        const leave = new AbortController()
        const frames: Frame[] = []
        const done = (async () => {
          const batches = follow(store, hub, sessionId, { signal: leave.signal, ...more })
          for await (const frame of oneByOne(batches, leave.signal)) frames.push(frame)
        })()
        leaving.push(async () => {
          leave.abort()
          await done
        })
        return {
          frames,
          words: () => frames.map(short),
          numbers: () => frames.flatMap((frame) => (frame.kind === 'event' ? [frame.event.seq] : [])),
          async leave() {
            leave.abort()
            await done
          },
        }
      },
      async write(writer: SessionWriter, ...events: NewEvent[]): Promise<readonly StoredEvent[]> {
        return writer.write(...events)
      },
      /** Says something as the owner of a session. */
      say(writer: SessionWriter, text: string, offset: number, more: Partial<Delta> = {}) {
        const where = { sessionId: writer.id, requestId: 'r', turn: 1, after: writer.head }
        hub.pulse({ type: 'delta', kind: 'text', offset, text, ...where, ...more })
      },
    }
  }
  return node
}

/** Frames as short words: the number of an event, the text of a delta. */
function short(frame: Frame): number | string {
  if (frame.kind === 'event') return frame.event.seq
  if (frame.kind === 'dropped') return 'dropped'
  return frame.pulse.type === 'delta' ? `${frame.pulse.offset}:${frame.pulse.text}` : 'reset'
}
