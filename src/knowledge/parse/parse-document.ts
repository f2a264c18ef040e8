import type { Chunk } from '../../contract/knowledge.ts'
import { createChunkReader } from './chunk-reader.ts'
import { DocumentFault, type DocumentLimits, problemOf, unpackedBytes } from './document-fault.ts'
import { readContentType } from './document-types.ts'
import { runChild } from './run-child.ts'

interface ParseOptions {
  readonly limits: DocumentLimits
  readonly signal?: AbortSignal | undefined
}

/**
 * An uploaded document as chunks, in order. A process of its own reads it, because a small document may take hours or
 * all memory; it has ended when the promise settles. Throws a Problem that says what is wrong with the document.
 */
export async function parseDocument(
  bytes: Uint8Array,
  contentType: string,
  { limits, signal }: ParseOptions,
): Promise<Chunk[]> {
  const type = readContentType(contentType)
  const { chars, chunks } = limits
  const reader = createChunkReader(limits)
  try {
    if (bytes.length > limits.bytes) throw new DocumentFault('bytes')
    const job = { type, unpackedBytes: unpackedBytes(limits), chars, chunks }
    await runChild({ job, bytes, limits, signal, take: reader.take })
    return reader.end()
  } catch (error) {
    throw error instanceof DocumentFault ? problemOf(error.kind, limits) : error
  }
}
