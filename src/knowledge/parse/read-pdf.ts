import { getDocumentProxy } from 'unpdf'
import { DocumentFault } from './document-fault.ts'

/** The mark may stand after a few other bytes. */
const MARK_WITHIN = 1024

/** The text of each page of a PDF. */
export async function readPdf(bytes: Buffer, mostChars: number): Promise<string[]> {
  if (!bytes.subarray(0, MARK_WITHIN).includes('%PDF-')) throw new DocumentFault('wrong-type')
  const pdf = await open(bytes)
  const pages: string[] = []
  let chars = 0
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    let text = ''
    for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str
    chars += text.length
    if (chars > mostChars) throw new DocumentFault('chars')
    pages.push(text)
    page.cleanup()
  }
  if (pages.every((text) => text.trim() === '')) throw new DocumentFault('no-text')
  return pages
}

async function open(bytes: Buffer) {
  try {
    // Fonts and pictures are only for drawing, and nothing is loaded from anywhere.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
      useWasm: false,
      useWorkerFetch: false,
      enableXfa: false,
    })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw new DocumentFault('encrypted')
    throw error
  }
}
