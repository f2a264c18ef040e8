import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../../../src/contract/message.ts'
import { counter, FAILURE, OUTPUT, played, type Asked, type Conduct, type Outside } from './outside.ts'

/** What a side that speaks HTTP has of its own. */
export interface Speech {
  readonly refusal: Complaint
  readonly failure: Complaint
  readonly busyHeaders: Readonly<Record<string, string>>
  /** Whether a request to start comes from whom it should. */
  isAllowed(headers: IncomingHttpHeaders, body: Buffer): boolean
  /** What it says of a work that it has begun. */
  begunBody(work: HttpWork): string
  /** Answers what is no request to start; false if it knows no such address. */
  other(request: IncomingMessage, works: ReadonlyMap<string, HttpWork>): { status: number; body: Json } | undefined
}

interface Complaint {
  readonly status: number
  readonly body: object
}

export interface HttpWork {
  readonly key: string
  readonly id: string
  readonly input: Json
  state: 'running' | 'success' | 'error' | 'canceled'
  output: Json
}

const RETRY_AFTER_S = 7
const START_PATH = '/start'

/** What both sides that speak HTTP have in common. */
export async function httpOutside(speech: Speech) {
  const works = new Map<string, HttpWork>()
  const begun: string[] = []
  const asked: Asked[] = []
  const came = counter()
  const { play, next } = played('succeeds')
  let output: Json = OUTPUT
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function begin(key: string, body: Buffer): HttpWork {
    const known = works.get(key)
    if (known) return known
    begun.push(key)
    const input = JSON.parse(body.toString()) as Json
    const work: HttpWork = { key, id: String(1000 + begun.length), input, state: 'running', output: null }
    works.set(key, work)
    return work
  }

  function end(key: string, how: 'success' | 'failure' = 'success'): void {
    const work = works.get(key)
    if (!work) throw new Error('nothing with this key was begun')
    work.state = how === 'success' ? 'success' : 'error'
    work.output = how === 'success' ? output : { message: FAILURE }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const say = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    const { pathname } = new URL(request.url ?? '', origin)
    if (pathname !== START_PATH) {
      const { status, body: said } = speech.other(request, works) ?? { status: 404, body: { message: 'Not Found' } }
      return say(status, JSON.stringify(said))
    }
    if (!speech.isAllowed(request.headers, body)) return say(403, '{"message":"Authorization data is wrong!"}')
    const key = String(request.headers['idempotency-key'])
    asked.push(askedOf(key, request.headers, body))
    const conduct = next()
    const broken = actOn(conduct, key, body)
    came.add()
    if (broken === 'silent') return
    if (broken === 'cut') return void request.socket.destroy()
    const { refusal, busyHeaders } = speech
    if (conduct === 'is busy') return say(429, '{}', busyHeaders)
    // Some repeat what they were sent where they say that something is wrong.
    const complain = ({ status, body }: Complaint): void =>
      say(status, JSON.stringify({ ...body, headers: request.headers }))
    if (conduct === 'refuses') return complain(refusal)
    const work = begin(key, body)
    if (work.state === 'running') return say(202, speech.begunBody(work))
    if (work.state === 'success') return say(200, JSON.stringify(work.output))
    return complain(speech.failure)
  }

  /** What is done before anything is said. */
  function actOn(conduct: Conduct, key: string, body: Buffer): 'silent' | 'cut' | undefined {
    if (conduct === 'drops') return 'cut'
    if (conduct === 'is busy' || conduct === 'refuses') return undefined
    const isKnown = works.has(key)
    begin(key, body)
    if (!isKnown && conduct !== 'goes on') end(key, conduct === 'fails' ? 'failure' : 'success')
    if (conduct === 'stays silent') return 'silent'
    return conduct === 'breaks off' ? 'cut' : undefined
  }

  const outside: Pick<
    Outside,
    'origin' | 'retryAfterMs' | 'play' | 'returns' | 'asked' | 'begun' | 'wasAsked' | 'end' | 'isStopped' | 'leave'
  > = {
    origin,
    retryAfterMs: RETRY_AFTER_S * 1000,
    play,
    returns: (given) => void (output = given),
    asked,
    begun,
    wasAsked: came.reaches,
    end,
    isStopped: (key) => works.get(key)?.state === 'canceled',
    async leave() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return { ...outside, start: `${origin}${START_PATH}` }
}

export const BUSY = { 'retry-after': String(RETRY_AFTER_S) }

function askedOf(key: string, headers: IncomingHttpHeaders, body: Buffer): Asked {
  const token = headers['segno-callback-token']
  return {
    key,
    input: JSON.parse(body.toString()) as unknown,
    depth: String(headers['segno-depth']),
    invocationId: String(headers['segno-invocation']),
    ...(typeof token === 'string' && { token }),
  }
}
