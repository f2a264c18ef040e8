import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dict } from '../support/strict-provider/values.ts'

/** What is sent for a request: some bytes of a stream, and how it ends after them. */
export interface Answer {
  readonly pieces: readonly Uint8Array[]
  /** `close`: the connection is gone in the middle of the response; `hold`: nothing more is sent */
  readonly ending: 'end' | 'close' | 'hold'
  /** Called when the client leaves before the response has ended. */
  onLeft?(): void
}

/** Says what is answered to a request; `text` is its body as it came. */
type Play = (body: Dict, text: string) => Answer

export interface PlayingServer {
  /** the settings with which Segno reaches it in the place of every provider */
  readonly env: Readonly<Record<string, string>>
  /** Answers requests whose conversation has this mark. */
  add(mark: string, play: Play): void
  remove(mark: string): void
  close(): Promise<void>
}

/** A mark to put into a message, so that its conversation is known again. */
export const markOf = (number: number): string => `[[play-${number}]]`
const MARK = /\[\[play-\d+\]\]/

/** Speaks for all providers at once. Which recording is played is told by the mark in the conversation. */
export async function startPlayingServer(): Promise<PlayingServer> {
  const plays = new Map<string, Play>()
  const server = createServer((request, response) => void answer(request, response, plays))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: {
      ANTHROPIC_API_KEY: 'a',
      ANTHROPIC_BASE_URL: `${url}/anthropic/v1`,
      OPENAI_API_KEY: 'o',
      OPENAI_BASE_URL: `${url}/openai/v1`,
      DEEPSEEK_API_KEY: 'd',
      DEEPSEEK_BASE_URL: `${url}/deepseek`,
      GOOGLE_GENERATIVE_AI_API_KEY: 'g',
      GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/google/v1beta`,
      OPENROUTER_API_KEY: 'r',
      OPENROUTER_BASE_URL: `${url}/openrouter/v1`,
      XAI_API_KEY: 'x',
      XAI_BASE_URL: `${url}/xai/v1`,
      MISTRAL_API_KEY: 'm',
      MISTRAL_BASE_URL: `${url}/mistral/v1`,
      GROQ_API_KEY: 'q',
      GROQ_BASE_URL: `${url}/groq/v1`,
      SEGNO_PROVIDERS: JSON.stringify({
        kimi: { kind: 'openai-compatible', baseURL: `${url}/kimi/v1`, quirks: 'kimi' },
      }),
      OPENAI_COMPATIBLE_API_KEY: 'c',
      OPENAI_COMPATIBLE_BASE_URL: `${url}/compatible/v1`,
    },
    add: (mark, play) => void plays.set(mark, play),
    remove: (mark) => void plays.delete(mark),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  plays: ReadonlyMap<string, Play>,
): Promise<void> {
  // Who stops a stream it wants no more of leaves while it is being written.
  response.on('error', () => {})
  try {
    const text = await bodyOf(request)
    const play = plays.get(MARK.exec(text)?.[0] ?? '')
    if (!play) return void response.writeHead(404).end()
    const { pieces, ending, onLeft } = play(JSON.parse(text) as Dict, text)
    response.on('close', () => void (response.writableFinished || onLeft?.()))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    const close = (): void => void (ending === 'close' && response.socket?.destroy())
    for (const [at, piece] of pieces.entries()) response.write(piece, at === pieces.length - 1 ? close : undefined)
    if (ending === 'end') response.end()
    else if (pieces.length === 0) close()
  } catch {
    response.destroy()
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
