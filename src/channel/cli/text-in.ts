import { Readable } from 'node:stream'
import { notSegno } from '../../client/index.ts'

/** The text of a response with this content type. Whoever stops reading early ends the request. */
export async function* textIn(response: Response, type: string): AsyncGenerator<string> {
  if (!response.body || !response.headers.get('content-type')?.startsWith(type)) throw notSegno(response)
  yield* Readable.fromWeb(response.body as never).setEncoding('utf8') as AsyncIterable<string>
}
