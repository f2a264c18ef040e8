import type { Chunk } from '../../contract/knowledge.ts'
import { chunkMarkdown, chunkPages, chunkPlain } from './chunk-text.ts'
import { DocumentFault } from './document-fault.ts'
import type { DocumentType } from './document-types.ts'

/** What the child is told besides the bytes. */
export interface ChildJob {
  readonly type: DocumentType
  readonly unpackedBytes: number
  readonly chars: number
  readonly chunks: number
}

const OTHER_FORMATS = ['%PDF-', 'PK\x03\x04']

/** A document as chunks; throws a DocumentFault if it is refused. Each parser is loaded only where it is needed. */
export async function readDocument(bytes: Buffer, job: ChildJob): Promise<Chunk[]> {
  const chunks = await chunksOf(bytes, job)
  if (chunks.length === 0) throw new DocumentFault('empty')
  if (chunks.length > job.chunks) throw new DocumentFault('chunks')
  return chunks
}

async function chunksOf(bytes: Buffer, { type, unpackedBytes, chars }: ChildJob): Promise<Chunk[]> {
  const bounded = (text: string): string => {
    if (text.length > chars) throw new DocumentFault('chars')
    return text
  }
  if (bytes.length === 0) throw new DocumentFault('empty')
  switch (type) {
    case 'text/markdown':
      return chunkMarkdown(bounded(textOf(bytes)))
    case 'text/plain':
      return chunkPlain(bounded(textOf(bytes)))
    case 'text/html': {
      const { htmlToMarkdown } = await import('./html-to-markdown.ts')
      return chunkMarkdown(bounded(htmlToMarkdown(textOf(bytes))))
    }
    case 'application/pdf': {
      const { readPdf } = await import('./read-pdf.ts')
      return chunkPages(await readPdf(bytes, chars))
    }
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
      const { readDocx } = await import('./read-docx.ts')
      return chunkMarkdown(bounded(await readDocx(bytes, unpackedBytes)))
    }
  }
}

/** UTF-8 without its mark. */
function textOf(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 8)
  if (OTHER_FORMATS.some((mark) => start.startsWith(mark))) throw new DocumentFault('wrong-type')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new DocumentFault('not-utf8')
  }
}
