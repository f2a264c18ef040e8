import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface EmbeddingRequest {
  readonly texts: string[]
  /** asked for by the request, if it was */
  readonly dimensions: number | undefined
}
/** Comes in the place of the answer to a request. */
export type Instead = (response: ServerResponse) => unknown

export const DIMENSIONS = 6

/** Not of length one, and told apart by the length of the text. */
export const vectorOf = (text: string, dimensions = DIMENSIONS): number[] =>
  Array.from({ length: dimensions }, (_, at) => (at === 0 ? text.length : 3))

interface Format {
  readonly path: RegExp
  readonly mostTexts: number
  read(body: never): EmbeddingRequest
  write(vectors: number[][]): object
  fault(message: string): object
}

const openai: Format = {
  path: /^\/v1\/embeddings$/,
  mostTexts: 2048,
  read: ({ input, dimensions }: { input: string[]; dimensions?: number }) => ({ texts: input, dimensions }),
  write: (vectors) => ({
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 8, total_tokens: 8 },
  }),
  fault: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
}

interface GoogleRequest {
  readonly content: { parts: [{ text: string }] }
  readonly outputDimensionality?: number
}
const fault = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })
const google: Format = {
  path: /:batchEmbedContents$/,
  mostTexts: 100,
  read: ({ requests }: { requests: GoogleRequest[] }) => ({
    texts: requests.map(({ content }) => content.parts[0].text),
    dimensions: requests[0]?.outputDimensionality,
  }),
  write: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
  fault,
}
const googleOne: Format = {
  path: /:embedContent$/,
  mostTexts: 1,
  read: ({ content, outputDimensionality }: GoogleRequest) => ({
    texts: [content.parts[0].text],
    dimensions: outputDimensionality,
  }),
  write: ([values]) => ({ embedding: { values } }),
  fault,
}
const ollama: Format = {
  path: /^\/api\/embed$/,
  mostTexts: Infinity,
  read: ({ input, dimensions }: { input: string[]; dimensions?: number }) => ({ texts: input, dimensions }),
  write: (embeddings) => ({ model: 'nomic-embed-text', embeddings, total_duration: 14_143_917, prompt_eval_count: 8 }),
  fault: (error) => ({ error }),
}
const FORMATS = [openai, google, googleOne, ollama]

/** A server that embeds as OpenAI, Google and Ollama do. Each of `instead` is used once, in their order. */
export async function embeddingServer(instead: readonly Instead[] = []) {
  const requests: EmbeddingRequest[] = []
  const left = [...instead]
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const format = FORMATS.find(({ path }) => path.test(request.url ?? ''))
      if (!format) return response.writeHead(404).end()
      const asked = format.read(body as never)
      requests.push(asked)
      const other = left.shift()
      if (other) return other(response)
      const bad = asked.texts.length > format.mostTexts || asked.texts.some((text) => text === '')
      response.writeHead(bad ? 400 : 200, { 'content-type': 'application/json' })
      const vectors = asked.texts.map((text) => vectorOf(text, asked.dimensions))
      return response.end(JSON.stringify(bad ? format.fault('bad input') : format.write(vectors)))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

export const status =
  (code: number, headers: Record<string, string> = {}): Instead =>
  (response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"no"}}')
/** An OpenAI answer with these vectors, whatever was asked. */
export const vectors =
  (...given: number[][]): Instead =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(openai.write(given)))
