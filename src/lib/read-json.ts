/** The JSON of a response of at most so many bytes. */
export async function readJson(response: Response, mostBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
}
