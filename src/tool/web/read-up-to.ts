/** The first bytes of a body; what follows is not read. */
export async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, most), isCut: length > most }
}
