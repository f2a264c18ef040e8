import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { speaker } from '../faulty-provider/speaker.ts'
import { WIRE_NAMES, WIRES, wireSettings, type Wire } from '../faulty-provider/wires.ts'
import { isDict, type Dict } from '../strict-provider/values.ts'

export interface RecordingProvider {
  readonly env: Readonly<Record<string, string>>
  /** the bodies of all requests that offer tools, so none of Segno's own questions */
  readonly bodies: Dict[]
  /** For the next round: so many requests are answered with a call of `look`, and the one after with words. */
  nextRound(calls: number): void
  close(): Promise<void>
}

/** A server on this machine that stands for every provider, keeps what it is sent, and thinks, calls and answers. */
export async function startRecordingProvider(): Promise<RecordingProvider> {
  const bodies: Dict[] = []
  let calls = 0

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wire = WIRE_NAMES.map((name) => WIRES[name]).find(({ path }) => path.test(request.url ?? ''))
    const body = await json(request)
    if (!wire || !isDict(body)) return void response.writeHead(404).end()
    const isOwn = body['tools'] === undefined
    if (!isOwn) bodies.push(body)
    response.writeHead(200, { 'content-type': wire.contentType })
    const mayCall = !isOwn && calls > 0
    if (mayCall) calls -= 1
    response.end(answer(wire, body, bodies.length, mayCall))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    bodies,
    env: wireSettings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    nextRound: (n) => (calls = n),
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function answer(wire: Wire, body: Dict, n: number, isCall: boolean): string {
  const say = speaker(wire, body, String(n))
  const thought = wire.thinks ? say.thought(`What would help here? This is thought number ${n}.`) : ''
  const said = isCall
    ? say.text('Let me look.') + say.call(JSON.stringify({ path: `shelf/${n}` })) + say.callEnd()
    : say.text(`That was what you wanted to know, I think: ${'it is all there. '.repeat(5)}(${n})`)
  return say.begin() + thought + said + say.end()
}
