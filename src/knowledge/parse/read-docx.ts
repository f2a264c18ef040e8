import mammoth from 'mammoth'
import { DocumentFault } from './document-fault.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { readZip } from './read-zip.ts'

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')
const CONTENT_TYPES = '[Content_Types].xml'

/** A DOCX as Markdown; pictures are never unpacked. */
export async function readDocx(bytes: Buffer, unpackedBytes: number): Promise<string> {
  if (startsWith(bytes, OLE)) throw new DocumentFault(bytes.includes(ENCRYPTED) ? 'encrypted' : 'old-word')
  if (!startsWith(bytes, ZIP)) throw new DocumentFault('wrong-type')
  const entries = readZip(bytes, (name) => name.endsWith('.xml') || name.endsWith('.rels'), unpackedBytes)
  if (!entries.has(CONTENT_TYPES)) throw new DocumentFault('wrong-type')
  // Mammoth would unpack the zip itself, without a limit, so it is given what is unpacked already.
  const input = { file: unpackedFile(entries) } as unknown as { buffer: Buffer }
  const { value } = await mammoth.convertToHtml(input, {
    convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    includeEmbeddedStyleMap: false,
    externalFileAccess: false,
  })
  return htmlToMarkdown(value)
}

/** What mammoth asks of a zip. */
function unpackedFile(entries: ReadonlyMap<string, Buffer>) {
  return {
    exists: (name: string): boolean => entries.has(name),
    read: async (name: string, encoding?: string): Promise<string | Buffer> => {
      const content = entries.get(name)
      if (content === undefined) throw new DocumentFault('broken')
      return encoding === undefined ? content : new TextDecoder(encoding).decode(content)
    },
  }
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}
